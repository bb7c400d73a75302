import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText } from '../terminal/print.ts';

export interface Row {
  /** Where the row ends in the file. The first line is 1. */
  line: number;
  /** Identifies the row's content, so that importing the file again finds its link. */
  key: string;
  url: string;
  code?: string;
  expiresAt?: string;
}

const columnNames = ['url', 'code', 'expiresAt'];
// A missing quote would otherwise make the rest of the file one cell.
const maxRowCharacters = 65_536;

interface Found {
  record: Record<string, string>;
  info: { lines: number };
}

/**
 * Reads the rows of a CSV file with bounded memory.
 * @throws {CommandError} if it isn't CSV in UTF-8 with the expected columns.
 */
export async function* readRows(file: string): AsyncGenerator<Row> {
  const counts = new Map<string, number>();
  const rows = Readable.from(decode(createReadStream(file))).compose(
    parse({
      columns: (names: string[]) => checkColumns(file, names),
      info: true,
      max_record_size: maxRowCharacters,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }),
  );
  try {
    for await (const { record, info } of rows as AsyncIterable<Found>) {
      const [url = '', code, expiresAt] = columnNames.map((name) => readCell(record[name]));
      const content = JSON.stringify([url, code, expiresAt]);
      // A second row with the same content is a second link.
      const key = digest(`${content} ${counts.get(digest(content)) ?? 0}`);
      counts.set(digest(content), (counts.get(digest(content)) ?? 0) + 1);
      yield { line: info.lines, key, url, code, expiresAt };
    }
  } catch (error) {
    throw error instanceof CsvError
      ? new CommandError(`${file} isn't CSV: ${error.message}.`)
      : error;
  }

  async function* decode(chunks: AsyncIterable<Buffer>) {
    // It also removes a byte order mark.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    try {
      for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
      yield decoder.decode();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new CommandError(
        `Expected ${file} to be in UTF-8; got another encoding. Save it as UTF-8.`,
      );
    }
  }
}

/** Capital letters don't matter, and other columns are ignored. */
function checkColumns(file: string, names: string[]): string[] {
  const columns = names.map(
    (name) => columnNames.find((known) => known.toLowerCase() === name.toLowerCase()) ?? name,
  );
  if (columns.includes('url')) return columns;
  throw new CommandError(
    `Expected the first line of ${file} to name the columns: url and, if you like, code and expiresAt, ` +
      `with commas between them; got ${escapeText(names.join(',').slice(0, 80))}.`,
  );
}

/** An export puts an apostrophe before a cell that a spreadsheet would take for a formula. */
function readCell(text = ''): string | undefined {
  return text.replace(/^'(?=[-=+@])/, '') || undefined;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
