import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { styleText } from 'node:util';
import { PROJECT_DIR } from '../../local/engines/serverless.ts';
import { packageSettings } from '../kit/packaged-service.ts';
import type { CellResult } from './cell.ts';
import { runGauntlet } from './gauntlet.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { createProgress } from './progress.ts';
import { drawMatrix } from './report/charts.ts';
import { describeVerdict, isExact } from './report/outcome.ts';
import { renderPage } from './report/page.ts';
import { renderTables } from './report/terminal.ts';

const reportDir = path.join(PROJECT_DIR, 'reports', 'compare');
const imageDir = path.join(PROJECT_DIR, 'docs', 'images');

// Ctrl-C ends this process; lanes and engines notice, and temporary directories go at its exit.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  const options = readOptions(process.argv.slice(2));
  if (options.isHelp) console.log(usage);
  else await run(options);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message);
  process.exitCode = 1;
}

async function run(options: Options): Promise<void> {
  const { cells, clickCount, seed } = options;
  console.log(
    `${cells.length} cells of ${clickCount} clicks, seed ${seed}. Packaging the service first …`,
  );
  const packaging = packageSettings();
  const progress = createProgress(cells.length);
  const onResult = progress.show;
  const results = await runGauntlet({
    cells,
    clickCount,
    seed,
    settings: packaging,
    onResult,
  });
  const { batchSize } = await packaging;
  console.log(`\n${renderTables(results)}\n`);
  await writeReports(results, options, batchSize);
  judgeClickTally(results);
}

async function writeReports(
  results: CellResult[],
  options: Options,
  batchSize: number,
): Promise<void> {
  const { clickCount, seed } = options;
  const counts = results.filter(({ effect }) => effect === 'count');
  const sizes = `${clickCount} clicks a cell, batches of ${batchSize}, seed ${seed}`;
  const matrixSvg = drawMatrix(
    counts,
    'Every approach against every fault',
    `exact: each click once · +n: counted too often · −n: lost · DLQ n: good clicks in the dead-letter queue\n${sizes}`,
  );
  const json = `${JSON.stringify(results, null, 2)}\n`;
  await mkdir(reportDir, { recursive: true });
  await writeFile(path.join(reportDir, 'results.json'), json);
  await writeFile(path.join(reportDir, 'matrix.svg'), matrixSvg);
  await writeFile(
    path.join(reportDir, 'index.html'),
    renderPage(results, { clickCount, batchSize, seed }),
  );
  if (options.jsonFile) await writeFile(options.jsonFile, json);
  console.log(`Written: ${path.relative(process.cwd(), reportDir)}/index.html`);
  if (!options.isWhole) return;
  await mkdir(imageDir, { recursive: true });
  await writeFile(path.join(imageDir, 'compare-matrix.svg'), matrixSvg);
}

/** A cell in which this service is not exact is a bug of the service. */
function judgeClickTally(results: CellResult[]): void {
  const own = results.filter(({ approach }) => approach === 'click-tally');
  if (own.length === 0) return;
  const failing = own.filter((result) => !isExact(result));
  if (failing.length === 0) {
    console.log(styleText('green', `click-tally is exact in all of its ${own.length} cells.`));
    return;
  }
  const list = failing.map((result) => `${result.fault}: ${describeVerdict(result)}`).join(', ');
  console.error(styleText('red', `click-tally is not exact in ${failing.length} cells: ${list}`));
  process.exitCode = 1;
}
