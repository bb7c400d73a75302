import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import {
  type CsvRecord,
  createReader,
  encodingError,
  ImportFileError,
  type Row,
  readRecords,
} from '../../lib/links/import-rows.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText } from '../terminal/print.ts';

/**
 * Reads the rows of a CSV file with bounded memory. `warn` gets a sentence about columns that aren't
 * imported.
 * @throws {CommandError} if it isn't CSV in UTF-8 with the expected columns.
 */
export async function* readRows(
  file: string,
  warn?: (sentence: string) => void,
): AsyncGenerator<Row> {
  const { options, explain } = createReader(file);
  const records: AsyncIterable<CsvRecord> = Readable.from(decode(createReadStream(file))).compose(
    parse(options),
  );
  try {
    yield* readRecords(file, records, digest, warn);
  } catch (error) {
    const fault = error instanceof CsvError ? explain(error) : error;
    throw fault instanceof ImportFileError ? new CommandError(escapeText(fault.message)) : fault;
  }

  async function* decode(chunks: AsyncIterable<Buffer>) {
    // It also removes a byte order mark.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    try {
      for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
      yield decoder.decode();
    } catch (error) {
      throw error instanceof TypeError ? encodingError(file) : error;
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
