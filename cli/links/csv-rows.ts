import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Columns } from '../../lib/links/import-export/import-columns.ts';
import {
  type CsvRecord,
  createDecoder,
  createReader,
  encodingError,
  ImportFileError,
} from '../../lib/links/import-export/import-file.ts';
import {
  type Row,
  type Survey,
  surveyRecords,
  toRows,
} from '../../lib/links/import-export/import-rows.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText } from '../terminal/print.ts';

/**
 * Reads a whole CSV file with bounded memory, to find out what its columns are.
 * @throws {CommandError} if it isn't CSV in UTF-8 or UTF-16 with the expected columns.
 */
export async function surveyFile(file: string, { newCodes = false } = {}): Promise<Survey> {
  try {
    return await surveyRecords(file, parseRecords(file), { newCodes });
  } catch (error) {
    throw error instanceof ImportFileError ? toCommandError(error) : error;
  }
}

function toCommandError({ message }: ImportFileError): CommandError {
  return new CommandError(escapeText(message));
}

/** Reads the rows of a surveyed file. */
export function readRows(file: string, { columns }: { columns: Columns }): AsyncGenerator<Row> {
  return toRows(parseRecords(file), columns, digest);
}

async function* parseRecords(file: string): AsyncGenerator<CsvRecord> {
  const text = decode(file);
  // Its first line shows what separates the cells.
  const { value: start = '' } = await text.next();
  const { options, explain } = createReader(file, start);
  const chunks = Readable.from(concat(start, text));
  try {
    yield* chunks.compose(parse(options)) as AsyncIterable<CsvRecord>;
  } catch (error) {
    throw error instanceof CsvError ? toCommandError(explain(error)) : error;
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
    throw error instanceof TypeError ? toCommandError(encodingError(file)) : error;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
