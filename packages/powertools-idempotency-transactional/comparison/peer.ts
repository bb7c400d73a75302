import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../../../cli/terminal/command-error.ts';
import { exitCodes, runProgram } from '../../../cli/terminal/program.ts';
import { createProgress } from '../../../cli/terminal/progress.ts';
import { type Engine, findObstacle } from '../../../local/engines/dynamodb.ts';
import { projectDir } from '../../../local/engines/serverless.ts';
import { runInterruptibly } from '../../../local/run-interruptibly.ts';
import { behaviours, groups } from './behaviours.ts';
import { createPeerProgram, type PeerOptions } from './options.ts';
import { updatePage } from './report/page.ts';
import { renderBehaviours, renderJudgement } from './report/terminal.ts';
import { findSurprises, type Run, runBehaviours } from './run.ts';

const pageFile = path.join(projectDir, 'docs', 'compare-idempotency.md');

await runProgram(createPeerProgram((options) => runInterruptibly(() => compare(options))));

async function compare({ engine, json, write }: PeerOptions): Promise<void> {
  const runs = await runAll(engine ? [engine] : chooseEngines());
  const [first] = runs;
  if (first) console.log(`${renderBehaviours(groups, first.rows)}\n`);
  const judged = runs.map((run) => ({ ...run, surprises: findSurprises(run) }));
  for (const run of judged) console.log(renderJudgement(run, run.surprises));
  if (json) await writeFile(json, `${JSON.stringify(judged, null, 2)}\n`);
  if (judged.some(({ surprises }) => surprises.length > 0)) process.exitCode = exitCodes.failure;
  else if (write) await writePage(runs);
}

// An engine at DYNAMODB_ENDPOINT takes precedence, and an obstacle is explained by the engine's start.
function chooseEngines(): (Engine | undefined)[] {
  const engines: Engine[] = ['dynoxide', 'dynamodb-local'];
  const runnable = engines.filter((engine) => findObstacle(engine) === undefined);
  return process.env.DYNAMODB_ENDPOINT || runnable.length === 0 ? [undefined] : runnable;
}

async function runAll(engines: (Engine | undefined)[]): Promise<Run[]> {
  const progress = createProgress(behaviours.length * engines.length, 'behaviours');
  const runs: Run[] = [];
  try {
    for (const engine of engines) {
      const onRow = () => progress.add();
      runs.push(await runBehaviours(behaviours, { ...(engine && { engine }), onRow }));
    }
  } finally {
    progress.end();
  }
  return runs;
}

async function writePage(runs: Run[]): Promise<void> {
  const exact = runs.find(({ engine }) => engine === 'dynoxide');
  if (!exact) {
    throw new CommandError(
      'Only dynoxide reports the write units of AWS. Run --write on dynoxide.',
    );
  }
  const page = await readFile(pageFile, 'utf8');
  await writeFile(pageFile, updatePage(page, groups, exact.rows));
  console.log(`Wrote ${path.relative(process.cwd(), pageFile)}.`);
}
