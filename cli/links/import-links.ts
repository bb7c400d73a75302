import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { explainSuspect } from '../../lib/links/import-export/import-columns.ts';
import {
  describeRow,
  formatResults,
  listBatches,
  resultHeader,
  type Survey,
  toItem,
} from '../../lib/links/import-export/import-rows.ts';
import type { Stack } from '../stack.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText, printLine } from '../terminal/print.ts';
import { exitCodes } from '../terminal/program.ts';
import { createProgress } from '../terminal/progress.ts';
import { importLinks } from './api-client.ts';
import { readRows, surveyFile } from './csv-rows.ts';

const maxPrintedRejections = 20;

export interface ImportOptions {
  /** Give every link a new code, although the file may have codes. */
  newCodes?: boolean;
}

/**
 * Imports the rows of a CSV file, each exactly once however often it runs, and writes a result file.
 * Prints rejected rows and the number of rows by outcome. Stops at the daily limit. Exits with 1 if a
 * row wasn't imported.
 * @throws {CommandError} if the file isn't as expected, if its codes would be lost, or if the API doesn't
 * answer.
 */
export async function importFile(stack: Stack, file: string, options: ImportOptions) {
  const survey = await examine(file, options);
  const total = survey.rows;
  const resultFile = `${file.replace(/\.csv$/i, '')}.result.csv`;
  const counts = { created: 0, existing: 0, ready: 0, refused: 0, 'over-quota': 0 };
  const progress = createProgress(total, 'rows');
  const results = createWriteStream(resultFile);
  await once(results, 'open');
  results.write(resultHeader);
  let done = 0;
  try {
    for await (const rows of listBatches(readRows(file, survey))) {
      const { outcomes } = await importLinks(stack, rows.map(toItem));
      results.write(formatResults(rows, outcomes));
      for (const [index, row] of rows.entries()) {
        const { outcome, message = '' } = outcomes[index] ?? { outcome: 'refused' };
        counts[outcome] += 1;
        const isPrinted = outcome === 'refused' && counts.refused <= maxPrintedRejections;
        if (isPrinted) printLine(`${describeRow(row)}: ${message}`);
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
  const left = total - done + counts['over-quota'];
  printSummary(counts, left, resultFile);
  if (counts.refused + left > 0) process.exitCode = exitCodes.failure;
}

function printSummary(counts: Record<string, number>, left: number, resultFile: string): void {
  const { created, existing, refused } = counts;
  printLine(
    `${created} created, ${existing} already existed, ${refused} refused. See ${resultFile}.`,
  );
  if (left === 0) return;
  printLine(
    `You've reached your daily limit. For the other ${left} rows, repeat this tomorrow (UTC).`,
  );
}

/** Reads the whole file first, so that nothing is imported from a file with a fault. */
async function examine(file: string, options: ImportOptions): Promise<Survey> {
  const survey = await surveyFile(file, options);
  const { notes, suspect } = survey;
  if (suspect !== undefined) {
    const remedy = 'To give every link a new code instead, add --new-codes.';
    throw new CommandError(escapeText(`${explainSuspect(suspect, file)} ${remedy}`));
  }
  if (notes !== '') printLine(notes);
  return survey;
}
