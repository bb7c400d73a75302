import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { styleText } from 'node:util';
import { exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { loadPackagedService, type PackagedService } from '../../fixtures/packaged-service.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import type { CellResult } from './cell.ts';
import { runGauntlet } from './gauntlet.ts';
import { ownApproach } from './names.ts';
import { type CompareOptions, createCompareProgram } from './options.ts';
import { describeOutcome, isExact } from './report/outcome.ts';
import { drawMatrix } from './report/picture.ts';
import { renderReasons, renderTables } from './report/terminal.ts';

const imageDir = path.join(projectDir, 'docs', 'images');

await runProgram(
  createCompareProgram((options) => runInterruptibly((signal) => compare(options, signal))),
);

async function compare(options: CompareOptions, signal: AbortSignal): Promise<void> {
  const { cells, clickCount, seed } = options;
  console.log(`${cells.length} cells of ${clickCount} clicks, seed ${seed}. Packaging …`);
  const service = await loadPackagedService();
  const results = await runWithProgress(options, service, signal);
  console.log(`\n${renderTables(results)}\n\n${renderReasons(results)}\n`);
  await writeFiles(results, options, service.batchSize);
  judgeClickTally(results);
}

async function runWithProgress(
  options: CompareOptions,
  service: PackagedService,
  signal: AbortSignal,
): Promise<CellResult[]> {
  const progress = createProgress(options.cells.length, 'cells');
  const onResult = (result: CellResult) => {
    progress.add();
    progress.note(`${result.approach} × ${result.fault}: ${describeOutcome(result)}`);
  };
  try {
    return await runGauntlet({ ...options, service, onResult, signal });
  } finally {
    progress.end();
  }
}

async function writeFiles(
  results: CellResult[],
  { clickCount, seed, jsonFile, isFull }: CompareOptions,
  batchSize: number,
): Promise<void> {
  if (jsonFile) await writeFile(jsonFile, `${JSON.stringify(results, null, 2)}\n`);
  if (isFull) {
    const counts = results.filter(({ effect }) => effect === 'count');
    const note = `${clickCount} clicks a cell, a third of them on one link, in batches of ${batchSize}, seed ${seed}`;
    await writeFile(path.join(imageDir, 'compare-matrix.svg'), await drawMatrix(counts, note));
  }
}

/** Fails if click-tally is not exact in a cell, because that is a bug of this service. */
function judgeClickTally(results: CellResult[]): void {
  const own = results.filter(({ approach }) => approach === ownApproach);
  if (own.length === 0) return;
  const failing = own.filter((result) => !isExact(result));
  if (failing.length === 0) {
    console.log(styleText('green', `click-tally is exact in all of its ${own.length} cells.`));
    return;
  }
  const list = failing.map((result) => `${result.fault}: ${describeOutcome(result)}`).join(', ');
  console.error(styleText('red', `click-tally is not exact in ${failing.length} cells: ${list}`));
  process.exitCode = exitCodes.failure;
}
