import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import type { ImportLinksAnswer } from '../../lib/links/answer-schemas.ts';
import type { Stack } from '../stack.ts';
import { CommandError } from '../terminal/command-error.ts';
import { printLine } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { importLinks } from './api-client.ts';
import { type Row, readRows } from './csv-rows.ts';

type Outcome = ImportLinksAnswer['outcomes'][number];

// The API's limits.
const maxRowsPerRequest = 100;
const maxRequestBytes = 200_000;
const maxRows = 100_000;
// Longer ones are refused anyway.
const maxSentCharacters = 2_100;
const maxPrintedRefusals = 20;
const resultColumns = ['line', 'url', 'code', 'shortUrl', 'outcome', 'message'];

export interface ImportReport {
  resultFile: string;
  /** Rows by outcome. */
  counts: Record<Outcome['outcome'], number>;
  /** Rows after the daily limit, which weren't sent or created. */
  left: number;
}

/**
 * Imports the rows of a CSV file, each exactly once however often it runs, and writes a result file.
 * Prints refused rows. Stops at the daily limit.
 * @throws {CommandError} if the file isn't as expected, or if the API doesn't answer.
 */
export async function importFile(stack: Stack, file: string): Promise<ImportReport> {
  const total = await countRows(file);
  const resultFile = `${file.replace(/\.csv$/i, '')}.result.csv`;
  const counts = { created: 0, existing: 0, refused: 0, 'over-quota': 0 };
  const progress = createProgress(total, 'rows');
  const results = createWriteStream(resultFile);
  await once(results, 'open');
  results.write(stringify([], { header: true, columns: resultColumns }));
  let done = 0;
  try {
    for await (const rows of listBatches(readRows(file))) {
      const { outcomes } = await importLinks(stack, rows.map(toItem));
      results.write(formatResults(rows, outcomes));
      for (const [index, row] of rows.entries()) {
        const { outcome, message = '' } = outcomes[index] ?? { outcome: 'refused' };
        counts[outcome] += 1;
        const isPrinted = outcome === 'refused' && counts.refused <= maxPrintedRefusals;
        if (isPrinted) printLine(`line ${row.line}: ${message}`);
      }
      done += rows.length;
      progress.add(rows.length);
      if (counts['over-quota'] > 0) break;
    }
  } finally {
    progress.end();
    results.end();
    await finished(results);
  }
  return { resultFile, counts, left: total - done + counts['over-quota'] };
}

/** Reads the whole file first, so that nothing is imported from a file with a fault. */
async function countRows(file: string): Promise<number> {
  let total = 0;
  for await (const _ of readRows(file)) {
    total += 1;
    if (total > maxRows) {
      throw new CommandError(
        `Expected ${file} to have at most ${maxRows} rows; got more. Split it.`,
      );
    }
  }
  return total;
}

async function* listBatches(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    bytes += Buffer.byteLength(JSON.stringify(toItem(row)));
    if (batch.length < maxRowsPerRequest && bytes < maxRequestBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function toItem({ key, url, code, expiresAt }: Row) {
  const shorten = (text?: string) => text?.slice(0, maxSentCharacters);
  return { key, url: shorten(url), code: shorten(code), expiresAt: shorten(expiresAt) };
}

function formatResults(rows: Row[], outcomes: Outcome[]): string {
  const lines = rows.map(({ line, url }, index) => ({ line, url, ...outcomes[index] }));
  return stringify(lines, { columns: resultColumns, escape_formulas: true });
}
