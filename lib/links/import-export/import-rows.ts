// The import command and the page share this file, so it must run in Node.js and in browsers.
import type { ImportLinksAnswer } from '../api/answer-schemas.ts';
import type { ImportItem } from '../api/link-request.ts';
import {
  describeContent,
  type FieldName,
  fieldNames,
  type LinkTexts,
  lineFields,
  lines,
  linkFields,
  mapLines,
  splitTags,
} from '../rules/link-fields.ts';
import { byteOrderMark, formatLine, readCell } from './csv-cells.ts';
import {
  ColumnFinder,
  type Columns,
  describeColumns,
  type ExtraName,
  ignoreCodes,
  listNames,
  readHeader,
} from './import-columns.ts';
import { type CsvRecord, ImportFileError } from './import-file.ts';
import { describePast } from './other-services.ts';
import { readCode } from './unknown-column.ts';

interface RowFields extends Omit<LinkTexts, 'forwardQuery'> {
  code?: string;
  /** The API rejects a text. */
  forwardQuery?: boolean | string;
  disabled?: boolean | string;
}

export interface Row extends RowFields {
  /** Where the row ends in the file. The first line is 1. */
  line: number;
  /** Identifies the row's content, so that importing the file again finds its link. */
  key: string;
}

/** What a file has, before its rows are imported. */
export interface Survey {
  rows: number;
  columns: Columns;
  /** Sentences about what was understood, and about columns that aren't imported. */
  notes: string;
  /** The rows whose texts were too long, and were cut. */
  cut: number;
  /** A column whose codes would be lost. Import the rows only if somebody agrees. */
  suspect?: string;
}

export type Outcome = ImportLinksAnswer['outcomes'][number];
type Records = AsyncIterable<CsvRecord> | Iterable<CsvRecord>;

// The API's limits.
const maxRowsPerRequest = 100;
const maxRequestBytes = 180_000;
// Longer ones are rejected anyway.
const maxSentCharacters = 2_100;
const maxSentTags = 11;
const maxSentTag = 60;
const maxTags = 10;
const maxTag = 50;
const maxShownCode = 80;
const resultColumns = ['line', 'url', 'code', 'shortUrl', 'outcome', 'message'] as const;

/**
 * Reads all of a file's records to find out what its columns are, unless somebody has chosen them. With
 * `newCodes`, its codes are ignored. Throws an {@link ImportFileError} if the header or a row isn't as expected.
 */
export async function surveyRecords(
  file: string,
  records: Records,
  { newCodes = false, chosen }: { newCodes?: boolean; chosen?: Columns } = {},
): Promise<Survey> {
  let rows = 0;
  let cut = 0;
  let header: Columns | undefined;
  let finder: ColumnFinder | undefined;
  for await (const record of records) {
    if (header && finder) {
      finder.add(record);
      rows += 1;
      if (readFields(header, record.cells).isCut) cut += 1;
    } else {
      const named = chosen ?? readHeader(file, record.cells);
      header = newCodes ? ignoreCodes(named) : named;
      finder = new ColumnFinder(file, header);
    }
  }
  if (!header || !finder) throw new ImportFileError(`${file} is empty.`);
  const { columns, unused, found, suspect } =
    newCodes || chosen ? finder.findWithoutCodes() : finder.find();
  const notes = [
    ...(columns.service ? [`An export of ${columns.service}: ${describeColumns(columns)}.`] : []),
    ...(found === undefined ? [] : [`${listNames([found])} has the codes.`]),
    ...(cut > 0 ? [`Rows whose texts were too long, and were cut: ${cut}.`] : []),
    ...(unused.length > 0 ? [`These columns aren't imported: ${listNames(unused)}.`] : []),
  ];
  const shown = suspect === undefined ? undefined : listNames([suspect]);
  return { rows, columns, cut, notes: notes.join(' '), suspect: shown };
}

/** Turns a surveyed file's records into rows. `digest` returns a text's SHA-256 in base64url. */
export async function* toRows(
  records: Records,
  columns: Columns,
  digest: (text: string) => string | Promise<string>,
): AsyncGenerator<Row> {
  const counts = new Map<string, number>();
  let isHeader = true;
  for await (const { line, cells } of records) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const { fields } = readFields(columns, cells);
    const content = describeContent({ ...fields });
    // A second row with the same content is a second link.
    const id = await digest(content);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    yield { line, key: await digest(`${content} ${count}`), ...fields };
  }
}

/** Reads a row's cells. A service may allow longer texts than this one, which are cut. */
function readFields(columns: Columns, cells: string[]): { fields: RowFields; isCut: boolean } {
  const texts = readTexts(columns, cells);
  const values = fieldNames.map((name) => [name, readValue(name, texts[name])]);
  const fields: RowFields = { ...Object.fromEntries(values), url: texts.url ?? '' };
  return columns.service ? cutTexts(fields) : { fields, isCut: false };
}

type Texts = { [Name in FieldName]?: string };

function readTexts({ service, positions }: Columns, cells: string[]): Texts {
  const read = (name: FieldName | ExtraName) => readCell(cells[positions[name]] ?? '').trim();
  const texts: Texts = Object.fromEntries(
    fieldNames.map((name) => [name, read(name) || undefined]),
  );
  // A service lists several codes of its link. The first one replaces a random one.
  const [custom = ''] = service ? read('custom').split(/[,;|\s]/, 1) : [read('custom')];
  const past = describePast(service ?? '', read('clicks'), read('created'));
  return {
    ...texts,
    code: readCode(custom || texts.code || '') || undefined,
    expiresAt: texts.expiresAt === 'null' ? undefined : texts.expiresAt,
    note: [texts.note, past].filter(Boolean).join('; ') || undefined,
  };
}

function readValue(name: FieldName, text?: string) {
  const { kind } = linkFields[name];
  if (kind === 'list') return text && splitTags(text);
  return kind === 'flag' || kind === 'switch' ? readFlag(text) : text;
}

/** A flag that is off isn't sent. */
function readFlag(text = 'false'): true | string | undefined {
  if (/^false$/i.test(text)) return undefined;
  return /^true$/i.test(text) || text.slice(0, 20);
}

function cutTexts(row: RowFields): { fields: RowFields; isCut: boolean } {
  const texts = mapLines((name) => row[name] && cut(row[name], lines[name].most));
  const tags = row.tags?.slice(0, maxTags).map((tag) => cut(tag, maxTag));
  const isLineCut = lineFields.some((name) => texts[name] !== row[name]);
  const isTagCut = row.tags?.some((tag, index) => tags?.[index] !== tag) ?? false;
  return { fields: { ...row, ...texts, tags }, isCut: isLineCut || isTagCut };
}

/** Cuts a text before the character that would make it too long. */
function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').normalize();
  if (line.length <= most) return text;
  const { index = 0 } = new Intl.Segmenter().segment(line).containing(most - 1) ?? {};
  return `${line.slice(0, index)}…`;
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

/** Names a rejected row by its line, and by its code if it has one. */
export function describeRow({ line, code }: Pick<Row, 'line' | 'code'>): string {
  return code === undefined ? `Line ${line}` : `Line ${line}, code ${shortenCode(code)}`;
}

export function shortenCode(code: string): string {
  return code.length > maxShownCode ? `${code.slice(0, maxShownCode)}…` : code;
}

/** The first line of a result file. */
export const resultHeader = `${byteOrderMark}${formatLine(resultColumns)}`;

/** Lines of a result file, with the short links. */
export function formatResults(rows: readonly Row[], outcomes: readonly Outcome[]): string {
  return rows
    .map(({ line, url, code }, index) => {
      const result = { line, url, code, ...outcomes[index] };
      return formatLine(resultColumns.map((column) => result[column]));
    })
    .join('');
}
