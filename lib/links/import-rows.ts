// The import command and the page share this file, so it must run in Node.js and in browsers.
import type { ImportLinksAnswer } from './answer-schemas.ts';
import type { ImportItem } from './link-request.ts';

export interface Row {
  /** Where the row ends in the file. The first line is 1. */
  line: number;
  /** Identifies the row's content, so that importing the file again finds its link. */
  key: string;
  url: string;
  code?: string;
  expiresAt?: string;
}

/** A record as csv-parse returns it. The first one is the header. */
export interface CsvRecord {
  record: string[];
  info: { records: number; empty_lines: number };
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

export function notCsvError(file: string, { message }: Error): ImportFileError {
  return new ImportFileError(`${file} isn't CSV: ${message}.`);
}

const columnNames = ['url', 'code', 'expiresAt'];
const maxRows = 100_000;
// The API's limits.
const maxRowsPerRequest = 100;
const maxRequestBytes = 200_000;
// Longer ones are refused anyway.
const maxSentCharacters = 2_100;
// A missing quote would otherwise make the rest of the file one cell.
const maxRowCharacters = 65_536;
const resultColumns = ['line', 'url', 'code', 'shortUrl', 'outcome', 'message'] as const;

/** The options of csv-parse. */
export const csvOptions = {
  info: true,
  max_record_size: maxRowCharacters,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  trim: true,
} as const;

/**
 * Turns a file's records into rows. `digest` returns a text's SHA-256 in base64url. Throws an
 * {@link ImportFileError} if the header is missing, and at the row after the last one that's
 * allowed.
 */
export async function* readRecords(
  file: string,
  records: AsyncIterable<CsvRecord> | Iterable<CsvRecord>,
  digest: (text: string) => string | Promise<string>,
): AsyncGenerator<Row> {
  const counts = new Map<string, number>();
  let columns: number[] | undefined;
  let linesInCells = 0;
  for await (const { record, info } of records) {
    // csv-parse counts lines too, but a line break of two characters in a cell as two.
    linesInCells += record.join().match(/\r\n?|\n/g)?.length ?? 0;
    if (!columns) {
      columns = findColumns(file, record);
      continue;
    }
    if (info.records > maxRows + 1) {
      throw new ImportFileError(
        `Expected ${file} to have at most ${maxRows} rows; got more. Split it.`,
      );
    }
    const [url = '', code, expiresAt] = columns.map((index) => readCell(record[index]));
    const content = JSON.stringify([url, code, expiresAt]);
    // A second row with the same content is a second link.
    const id = await digest(content);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    const line = info.records + info.empty_lines + linesInCells;
    yield { line, key: await digest(`${content} ${count}`), url, code, expiresAt };
  }
}

/** Capital letters don't matter, and other columns are ignored. */
function findColumns(file: string, header: string[]): number[] {
  const names = header.map((name) => name.toLowerCase());
  if (names.includes('url'))
    return columnNames.map((name) => names.lastIndexOf(name.toLowerCase()));
  throw new ImportFileError(
    `Expected the first line of ${file} to name the columns: url and, if you like, code and expiresAt, ` +
      `with commas between them; got ${header.join(',').slice(0, 80)}.`,
  );
}

/** An export puts an apostrophe before a cell that a spreadsheet would take for a formula. */
function readCell(text = ''): string | undefined {
  return text.replace(/^'(?=[-=+@])/, '') || undefined;
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

export function toItem({ key, url, code, expiresAt }: Row): ImportItem {
  const shorten = (text?: string) => text?.slice(0, maxSentCharacters);
  return { key, url: shorten(url), code: shorten(code), expiresAt: shorten(expiresAt) };
}

/** The first line of a result file. */
export const resultHeader = `${resultColumns.join(',')}\n`;

/** Lines of a result file, with the short links. */
export function formatResults(rows: readonly Row[], outcomes: readonly Outcome[]): string {
  const lines = rows.map(({ line, url }, index) => {
    const result = { ...{ line, url }, ...outcomes[index] };
    return `${resultColumns.map((column) => formatCell(`${result[column] ?? ''}`)).join(',')}\n`;
  });
  return lines.join('');
}

// csv-stringify would bring a polyfill of Buffer into the page. A spreadsheet would run a cell such as
// "=1+1". An apostrophe in front makes it text.
function formatCell(text: string): string {
  const safe = /^[-=+@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
