import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { styleText } from 'node:util';
import { InvalidArgumentError } from 'commander';
import { parseCount } from '../../cli/terminal/arguments.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { loadPackagedService } from '../../fixtures/packaged-service.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import type { CellResult } from './cell.ts';
import { type GauntletOptions, runGauntlet } from './gauntlet.ts';
import { approaches, type Cell, faults, listCells, ownApproach } from './names.ts';
import { describeOutcome, isExact } from './report/outcome.ts';
import { drawMatrix } from './report/picture.ts';
import { renderMatrix, renderReasons } from './report/terminal.ts';

const imageDir = path.join(projectDir, 'docs', 'images');

const description =
  'Run twelve approaches to counting clicks through nineteen faults on the local engines, audit ' +
  'the counts and explain each failing cell. Exits with 1 if click-tally is not exact in every cell.';

interface Options {
  quick?: boolean;
  only?: Cell[];
  seed: number;
  json?: string;
}

await runProgram(
  createProgram('compare', description, 'proofs')
    .option('--quick', 'run every cell with fewer clicks, in less than a minute')
    .option('--only <names>', 'run only these approaches and faults, separated by commas', readOnly)
    .option('--seed <n>', 'the same seed injects the same faults', parseCount, 1)
    .option('--json <file>', 'also write the results to this file')
    .action((options: Options) => runInterruptibly((signal) => compare(options, signal))),
);

async function compare({ quick, only, seed, json }: Options, signal: AbortSignal): Promise<void> {
  const cells = only ?? listCells();
  const clickCount = quick ? 10 : 200;
  console.log(`${cells.length} cells of ${clickCount} clicks, seed ${seed}. Packaging …`);
  const service = await loadPackagedService();
  const results = await runWithProgress({ cells, clickCount, seed, service, signal });
  console.log(`\n${renderMatrix(results)}\n\n${renderReasons(results)}\n`);
  if (json) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`);
  if (!quick && !only) {
    const note = `${clickCount} clicks a cell, a third of them on one link, in batches of ${service.batchSize}, seed ${seed}`;
    await writeFile(path.join(imageDir, 'compare-matrix.svg'), await drawMatrix(results, note));
  }
  judgeClickTally(results);
}

function readOnly(text: string): Cell[] {
  const names = text.split(',').filter(Boolean);
  const isApproach = (name: string) => (approaches as readonly string[]).includes(name);
  const isFault = (name: string) => (faults as readonly string[]).includes(name);
  const unknown = names.find((name) => !isApproach(name) && !isFault(name));
  if (unknown !== undefined) {
    const known = [...approaches, ...faults].join(', ');
    throw new InvalidArgumentError(
      `Expected approaches or faults; got "${unknown}". Choose from: ${known}.`,
    );
  }
  const wantedApproaches = names.filter(isApproach);
  const wantedFaults = names.filter(isFault);
  return listCells().filter(
    ({ approach, fault }) =>
      (wantedApproaches.length === 0 || wantedApproaches.includes(approach)) &&
      (wantedFaults.length === 0 || wantedFaults.includes(fault)),
  );
}

async function runWithProgress(options: GauntletOptions): Promise<CellResult[]> {
  const progress = createProgress(options.cells.length, 'cells');
  const onResult = (result: CellResult) => {
    progress.add();
    progress.note(`${result.approach} × ${result.fault}: ${describeOutcome(result)}`);
  };
  try {
    return await runGauntlet({ ...options, onResult });
  } finally {
    progress.end();
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
