// The import command and the page share this file, so it must run in Node.js and in browsers.
import type { InfoRecord, Options } from 'csv-parse';

const maxRows = 100_000;
const maxColumns = 1_000;
// A missing quote would otherwise make the rest of the file one cell.
const maxRowCharacters = 65_536;
/** What csv-parse's errors mean, by code. */
const csvReasons: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a cell's closing quote is missing",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "text follows a cell's closing quote",
  CSV_MAX_RECORD_SIZE: 'there are too many characters; perhaps a closing quote is missing',
};

/** A record as csv-parse returns it with the options of {@link createReader}. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** The file can't be imported. The message names the file. */
export class ImportFileError extends Error {
  override readonly name = 'ImportFileError';
}

export function encodingError(file: string): ImportFileError {
  return new ImportFileError(
    `Expected ${file} to be in UTF-8 or UTF-16; got another encoding. Save it as UTF-8.`,
  );
}

/** A decoder for a file that begins with these bytes. Excel marks UTF-16. It also removes the mark. */
export function createDecoder(start: Uint8Array) {
  return new TextDecoder(encodingOf(start), { fatal: true });
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** The sign between cells, by the first line. Excel reads it from the line "sep=;". */
function findDelimiter(start: string): string {
  const [line = ''] = start.replace(/^[\ufeff\r\n]+/, '').split(/[\r\n]/, 1);
  const named = /^"?sep=([,;\t|])/i.exec(line)?.[1];
  const unquoted = line.replace(/"[^"]*"/g, '');
  const count = (sign: string) => unquoted.split(sign).length;
  return named ?? [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

/**
 * Options for csv-parse, which stops at the first row beyond the limit, and a function for its errors.
 * `start` is the beginning of the file's text, with its first line.
 */
export function createReader(file: string, start: string) {
  let line = 0;
  let countedTwice = 0;
  const readRecord = (cells: string[], { lines, records }: InfoRecord): CsvRecord | undefined => {
    // csv-parse counts a line break of two characters in a cell as two.
    countedTwice += cells.join().match(/\r\n/g)?.length ?? 0;
    line = lines - countedTwice;
    if (records > maxRows + 1) throw expected(file, `at most ${maxRows} rows`, 'more. Split it');
    if (cells.length > maxColumns) throw expected(file, `at most ${maxColumns} columns`, 'more');
    if (records === 1 && /^sep=.?$/i.test(cells[0] ?? '')) return undefined;
    return cells.some(isFilled) ? { line, cells } : undefined;
  };
  const options: Options = {
    delimiter: findDelimiter(start),
    max_record_size: maxRowCharacters,
    // Its types expect cells.
    on_record: readRecord as unknown as Options['on_record'],
    // csv-parse would otherwise expect the first line's kind of line break everywhere.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  };
  const explain = ({ code, message }: Error & { code?: string }) => {
    const reason = csvReasons[code ?? ''] ?? message;
    return new ImportFileError(`${file} isn't CSV: in the row after line ${line}, ${reason}.`);
  };
  return { options, explain };
}

export function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

/** A fault of the file. */
export function expected(file: string, what: string, got: string): ImportFileError {
  return new ImportFileError(`Expected ${file} to have ${what}; got ${got}.`);
}
