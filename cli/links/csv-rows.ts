import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import {
  type CsvRecord,
  createDecoder,
  createReader,
  encodingError,
  ImportFileError,
} from '../../lib/links/import-file.ts';
import { type Row, readRecords } from '../../lib/links/import-rows.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText } from '../terminal/print.ts';

/**
 * Reads the rows of a CSV file with bounded memory. `warn` gets sentences about its columns.
 * @throws {CommandError} if it isn't CSV in UTF-8 or UTF-16 with the expected columns.
 */
export async function* readRows(
  file: string,
  warn?: (sentence: string) => void,
): AsyncGenerator<Row> {
  try {
    yield* parseRows(file, warn);
  } catch (error) {
    throw error instanceof ImportFileError ? new CommandError(escapeText(error.message)) : error;
  }
}

async function* parseRows(file: string, warn?: (sentence: string) => void) {
  const text = decode(file);
  // Its first line shows what separates the cells.
  const { value: start = '' } = await text.next();
  const { options, explain } = createReader(file, start);
  const chunks = Readable.from(concat(start, text));
  const records: AsyncIterable<CsvRecord> = chunks.compose(parse(options));
  try {
    yield* readRecords(file, records, digest, warn);
  } catch (error) {
    throw error instanceof CsvError ? explain(error) : error;
  }
}

async function* concat(start: string, rest: AsyncGenerator<string>) {
  yield start;
  yield* rest;
}

async function* decode(file: string): AsyncGenerator<string> {
  let decoder: ReturnType<typeof createDecoder> | undefined;
  try {
    for await (const chunk of createReadStream(file)) {
      decoder ??= createDecoder(chunk);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    throw error instanceof TypeError ? encodingError(file) : error;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
