// The import command and the page share this file, so it must run in Node.js and in browsers.
import type { InfoRecord, Options } from 'csv-parse';
import type { ImportLinksAnswer } from './answer-schemas.ts';
import { formatLine, readCell } from './csv-cells.ts';
import {
  describeContent,
  type FieldName,
  fieldNames,
  isList,
  type LinkTexts,
  linkFields,
  splitTags,
} from './link-fields.ts';
import type { ImportItem } from './link-request.ts';

export interface Row extends LinkTexts {
  /** Where the row ends in the file. The first line is 1. */
  line: number;
  /** Identifies the row's content, so that importing the file again finds its link. */
  key: string;
  code?: string;
  /** The API refuses a text. */
  disabled?: boolean | string;
}

/** A record as csv-parse returns it with the options of {@link createReader}. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

export type Outcome = ImportLinksAnswer['outcomes'][number];

/** The file can't be imported. The message names the file. */
export class ImportFileError extends Error {
  override readonly name = 'ImportFileError';
}

export function encodingError(file: string): ImportFileError {
  return new ImportFileError(
    `Expected ${file} to be in UTF-8; got another encoding. Save it as UTF-8.`,
  );
}

// A code, or an address that ends in one.
const codeLike = /^(\S*\/)?[\p{L}\p{N}_-]{3,64}$/u;
const maxListedCharacters = 80;
const maxRows = 100_000;
const maxColumns = 1_000;
// The API's limits.
const maxRowsPerRequest = 100;
const maxRequestBytes = 200_000;
// Longer ones are refused anyway.
const maxSentCharacters = 2_100;
const maxSentTags = 11;
const maxSentTag = 60;
// A missing quote would otherwise make the rest of the file one cell.
const maxRowCharacters = 65_536;
/** What csv-parse's errors mean, by code. */
const csvReasons: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a cell's closing quote is missing",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "text follows a cell's closing quote",
  CSV_MAX_RECORD_SIZE: 'there are too many characters; perhaps a closing quote is missing',
};
const resultColumns = ['line', 'url', 'code', 'shortUrl', 'outcome', 'message'] as const;

/** Options for csv-parse, which stops at the first row beyond the limit, and a function for its errors. */
export function createReader(file: string) {
  let line = 0;
  let countedTwice = 0;
  const readRecord = (cells: string[], { lines, records }: InfoRecord): CsvRecord | undefined => {
    // csv-parse counts a line break of two characters in a cell as two.
    countedTwice += cells.join().match(/\r\n/g)?.length ?? 0;
    line = lines - countedTwice;
    if (records > maxRows + 1) throw expected(file, `at most ${maxRows} rows`, 'more. Split it');
    if (cells.length > maxColumns) throw expected(file, `at most ${maxColumns} columns`, 'more');
    return cells.some(isFilled) ? { line, cells } : undefined;
  };
  const options: Options = {
    max_record_size: maxRowCharacters,
    // Its types expect cells.
    on_record: readRecord as unknown as Options['on_record'],
    // csv-parse would otherwise expect the first line's kind of line break everywhere.
    record_delimiter: ['\r\n', '\n', '\r'],
    ...{ relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true },
  };
  const explain = ({ code, message }: Error & { code?: string }) => {
    const reason = csvReasons[code ?? ''] ?? message;
    return new ImportFileError(`${file} isn't CSV: in the row after line ${line}, ${reason}.`);
  };
  return { options, explain };
}

/**
 * Turns a file's records into rows. `digest` returns a text's SHA-256 in base64url. After the last
 * row, `warn` gets a sentence about columns that aren't imported. Throws an {@link ImportFileError}
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
    const { url = '', disabled: flag = 'false' } = texts;
    const disabled = /^false$/i.test(flag) ? undefined : /^true$/i.test(flag) || flag.slice(0, 20);
    const lists = fieldNames
      .filter(isList)
      .map((name) => [name, texts[name] && splitTags(texts[name])]);
    const fields = { ...texts, ...Object.fromEntries(lists), url, disabled };
    const content = describeContent(fields);
    // A second row with the same content is a second link.
    const id = await digest(content);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    yield { line, key: await digest(`${content} ${count}`), ...fields };
  }
  if (!header) throw new ImportFileError(`${file} is empty.`);
  const others = listOthers(file, header);
  if (others !== '') warn?.(`These columns aren't imported: ${others}.`);
}

interface Header {
  names: string[];
  /** The positions of the fields' columns, or -1. */
  columns: Record<FieldName, number>;
  /** The positions of other columns with values, and whether all of them could be codes. */
  others: Map<number, boolean>;
}

/** Capital letters, blanks and signs don't matter. */
function readHeader(file: string, names: string[]): Header {
  const simple = names.map((name) => name.toLowerCase().replace(/[\s\p{P}\p{S}\p{Cf}]/gu, ''));
  const findColumn = (field: FieldName) => {
    const known: readonly string[] = linkFields[field].columns;
    const found = names.filter((_, index) => known.includes(simple[index] ?? ''));
    if (found.length < 2) return simple.findIndex((name) => known.includes(name));
    throw expected(file, `one column for ${field}`, `${list(found)}. Delete the others`);
  };
  const columns = Object.fromEntries(
    fieldNames.map((name) => [name, findColumn(name)]),
  ) as Header['columns'];
  if (columns.url !== -1) return { names, columns, others: new Map() };
  throw new ImportFileError(
    `Expected the first line of ${file} to name the columns: url and, if you like, code and expiresAt, ` +
      `with commas between them; got ${list(names, ',')}.`,
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
          `got ${cells.length} cells. Put quotes around a cell that has a comma.`,
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

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

function list(names: string[], separator = ', '): string {
  return names.join(separator).replace(/\s+/g, ' ').slice(0, maxListedCharacters);
}

function expected(file: string, what: string, got: string): ImportFileError {
  return new ImportFileError(`Expected ${file} to have ${what}; got ${got}.`);
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
