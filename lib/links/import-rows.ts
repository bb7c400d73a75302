// The import command and the page share this file, so it must run in Node.js and in browsers.
import type { ImportLinksAnswer } from './answer-schemas.ts';
import { formatLine, readCell } from './csv-cells.ts';
import { type CsvRecord, expected, ImportFileError, isFilled } from './import-file.ts';
import {
  describeContent,
  type FieldName,
  fieldNames,
  type LineField,
  type LinkTexts,
  lines,
  linkFields,
  mapLines,
  splitTags,
} from './link-fields.ts';
import type { ImportItem } from './link-request.ts';
import { describePast, extraColumns, findService } from './services.ts';

export interface Row extends Omit<LinkTexts, 'forwardQuery'> {
  /** Where the row ends in the file. The first line is 1. */
  line: number;
  /** Identifies the row's content, so that importing the file again finds its link. */
  key: string;
  code?: string;
  /** The API refuses a text. */
  forwardQuery?: boolean | string;
  disabled?: boolean | string;
}

export type Outcome = ImportLinksAnswer['outcomes'][number];

// A short link up to its code.
const beforeCode = /^(https?:\/\/)?[^/\s.]+\.[^/\s]+\//;
// A code, or an address that ends in one.
const codeLike = /^(\S*\/)?[\p{L}\p{N}_-]{3,64}$/u;
const maxListedCharacters = 80;
// The API's limits.
const maxRowsPerRequest = 100;
const maxRequestBytes = 180_000;
// Longer ones are refused anyway.
const maxSentCharacters = 2_100;
const maxSentTags = 11;
const maxSentTag = 60;
const [maxTags, maxTag] = [10, 50];
const resultColumns = ['line', 'url', 'code', 'shortUrl', 'outcome', 'message'] as const;

/**
 * Turns a file's records into rows. `digest` returns a text's SHA-256 in base64url. After the last
 * row, `warn` gets sentences about another service's columns, and those that aren't imported. Throws an {@link ImportFileError}
 * if the header or a row isn't as expected; some faults are found only after the last row.
 */
export async function* readRecords(
  file: string,
  records: AsyncIterable<CsvRecord> | Iterable<CsvRecord>,
  digest: (text: string) => string | Promise<string>,
  warn?: (sentence: string) => void,
): AsyncGenerator<Row> {
  const counts = new Map<string, number>();
  let header: Header | undefined;
  let shortened = 0;
  for await (const { line, cells } of records) {
    if (!header) {
      header = readHeader(file, cells);
      continue;
    }
    checkOtherCells(file, header, { line, cells });
    const { columns } = header;
    const texts: Record<string, string | undefined> = Object.fromEntries(
      fieldNames.map((name) => [name, readCell(cells[columns[name]] ?? '') || undefined]),
    );
    if (header.service) completeTexts(texts, cells, header);
    const { url = '' } = texts;
    const values = fieldNames.map((name) => [name, readText(name, texts[name])]);
    const whole = { ...Object.fromEntries(values), url };
    const fields = header.service ? cutTexts(whole) : whole;
    if (fields !== whole) shortened += 1;
    const content = describeContent(fields);
    // A second row with the same content is a second link.
    const id = await digest(content);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    yield { line, key: await digest(`${content} ${count}`), ...fields };
  }
  if (!header) throw new ImportFileError(`${file} is empty.`);
  const others = listOthers(file, header);
  const sentences = [
    ...(header.service ? [`An export of ${header.service}: ${describeColumns(header)}.`] : []),
    ...(shortened > 0 ? [`Rows whose texts were too long, and were cut: ${shortened}.`] : []),
    ...(others === '' ? [] : [`These columns aren't imported: ${others}.`]),
  ];
  if (sentences.length > 0) warn?.(sentences.join(' '));
}

/** Adds what another service's row has in columns of its own. */
function completeTexts(texts: Record<string, string | undefined>, cells: string[], header: Header) {
  const { service = '', columns } = header;
  const read = (name: ExtraName) => (cells[columns[name]] ?? '').trim();
  texts.code = (read('custom').split(/[,;|\s]/, 1)[0] || texts.code)?.replace(beforeCode, '');
  if (texts.expiresAt === 'null') texts.expiresAt = undefined;
  const notes = [texts.note, describePast(service, read('clicks'), read('created'))];
  texts.note = notes.filter(Boolean).join('; ') || undefined;
}

/** Another service may allow more than this one. A row whose texts are cut is another object. */
function cutTexts<Texts extends Pick<Row, LineField | 'tags'>>(row: Texts): Texts {
  const fit = {
    ...row,
    ...mapLines((name) => row[name] && cut(row[name], lines[name].most)),
    tags: row.tags?.slice(0, maxTags).map((tag) => cut(tag, maxTag)),
  };
  return JSON.stringify(fit) === JSON.stringify(row) ? row : fit;
}

/** Cuts a text before the character that would make it too long. */
function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').normalize();
  if (line.length <= most) return text;
  const { index = 0 } = new Intl.Segmenter().segment(line).containing(most - 1) ?? {};
  return `${line.slice(0, index)}…`;
}

function readText(name: FieldName, text?: string) {
  const { kind } = linkFields[name];
  if (kind === 'list') return text && splitTags(text);
  return kind === 'flag' || kind === 'switch' ? readFlag(text) : text;
}

/** A flag that is off isn't sent. */
function readFlag(text = 'false'): true | string | undefined {
  return /^false$/i.test(text) ? undefined : /^true$/i.test(text) || text.slice(0, 20);
}

type ExtraName = keyof typeof extraColumns;

interface Header {
  names: string[];
  /** The service whose export this is. */
  service?: string;
  /** The positions of the columns of the fields, and of a service's own, or -1. */
  columns: Record<FieldName | ExtraName, number>;
  /** The positions of other columns with values, and whether all of them could be codes. */
  others: Map<number, boolean>;
}

/** Capital letters, blanks and signs don't matter. */
function readHeader(file: string, names: string[]): Header {
  const simple = names.map((name) => name.toLowerCase().replace(/[\s\p{P}\p{S}\p{Cf}]/gu, ''));
  const service = findService(simple);
  const findColumn = (field: FieldName) => {
    const theirs = service?.columns?.[field];
    if (theirs && simple.includes(theirs)) return simple.indexOf(theirs);
    const known: readonly string[] = linkFields[field].columns;
    const found = names.filter((_, index) => known.includes(simple[index] ?? ''));
    if (found.length < 2) return simple.findIndex((name) => known.includes(name));
    throw expected(file, `one column for ${field}`, `${list(found)}. Delete the others`);
  };
  const findExtra = (known: string[]) =>
    service ? simple.findIndex((name) => known.includes(name)) : -1;
  const columns = Object.fromEntries([
    ...fieldNames.map((name) => [name, findColumn(name)]),
    ...Object.entries(extraColumns).map(([name, known]) => [name, findExtra(known)]),
  ]) as Header['columns'];
  if (columns.url !== -1) return { names, service: service?.name, columns, others: new Map() };
  throw new ImportFileError(
    `Expected the first line of ${file} to name the columns: url and, if you like, code and expiresAt, ` +
      `with commas, semicolons or tabs between them; got ${list(names, ',')}.`,
  );
}

function checkOtherCells(file: string, header: Header, { line, cells }: CsvRecord): void {
  const { names, others } = header;
  const columns = Object.values(header.columns);
  for (const [index, cell] of cells.entries()) {
    if (columns.includes(index) || !isFilled(cell)) continue;
    if (index < names.length) others.set(index, codeLike.test(cell) && others.get(index) !== false);
    else
      throw new ImportFileError(
        `Expected line ${line} of ${file} to end after the first line's columns (${names.length}); ` +
          `got ${cells.length} cells. Put quotes around a cell that has the separator in it.`,
      );
  }
}

/** Throws if one of the other columns could be the one with the codes. */
function listOthers(file: string, { names, columns, others }: Header): string {
  const listed = [...others.keys()].toSorted((a, b) => a - b);
  const nameOf = (index: number) => names[index] || `column ${index + 1}`;
  const suspect = columns.code === -1 ? listed.find((index) => others.get(index)) : undefined;
  if (suspect === undefined) return list(listed.map(nameOf));
  const advice = 'If that has the codes, rename it to code. Otherwise, delete it';
  const got = `${list([nameOf(suspect)])}. ${advice}`;
  throw expected(file, 'its codes, if any, in the column code', got);
}

function describeColumns({ names, columns }: Header): string {
  const places: [number, string][] = [
    ...fieldNames.map((field): [number, string] => [columns[field], `is the ${field}`]),
    [columns.custom, 'is the code where it is filled'],
    ...[columns.clicks, columns.created].map((index): [number, string] => [
      index,
      'is in the note',
    ]),
  ];
  return places
    .flatMap(([index, place]) => (index === -1 ? [] : [`${list([names[index] ?? ''])} ${place}`]))
    .join(', ');
}

function list(names: string[], separator = ', '): string {
  return names.join(separator).replace(/\s+/g, ' ').slice(0, maxListedCharacters);
}

/** Groups rows for the API's requests. */
export async function* listBatches(rows: AsyncIterable<Row> | Iterable<Row>) {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    bytes += new TextEncoder().encode(JSON.stringify(toItem(row))).length;
    if (batch.length < maxRowsPerRequest && bytes < maxRequestBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

export function toItem({ line: _, key, ...fields }: Row): ImportItem {
  const shortened = Object.entries(fields).map(([name, value]) => [name, shorten(value)]);
  return { key, ...Object.fromEntries(shortened) };
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value))
    return value.slice(0, maxSentTags).map((tag) => tag.slice(0, maxSentTag));
  return typeof value === 'string' ? value.slice(0, maxSentCharacters) : value;
}

/** The first line of a result file. */
export const resultHeader = formatLine(resultColumns);

/** Lines of a result file, with the short links. */
export function formatResults(rows: readonly Row[], outcomes: readonly Outcome[]): string {
  const lines = rows.map(({ line, url }, index) => {
    const result = { ...{ line, url }, ...outcomes[index] };
    return formatLine(resultColumns.map((column) => result[column]));
  });
  return lines.join('');
}
