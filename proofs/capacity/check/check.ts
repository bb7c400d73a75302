import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { printLine } from '../../../cli/terminal/print.ts';
import { exitCodes } from '../../../cli/terminal/program.ts';
import { createProgress, type Progress } from '../../../cli/terminal/progress.ts';
import { compileFunctionCode, type FunctionCode } from '../../simulation/compiled-code.ts';
import { buildFunctionCode } from '../../simulation/function-code.ts';
import type { Cell } from '../result.ts';
import { compareBatches } from './compare-batches.ts';
import { compareStack, type StackComparison } from './compare-stack.ts';
import { countInModel, type Model, runModel } from './model.ts';
import type { Count } from './observed.ts';
import { comparePublished, listPublished } from './published.ts';
import { replayBatches } from './replay.ts';
import { type CheckRecord, formatCheck } from './report.ts';
import type { CheckRow } from './row.ts';
import { countOnStack } from './stack.ts';
import { beginningOf, listSmallTraffics, localCell } from './traffics.ts';

const smallSeconds = 15;
/** How many seconds of a traffic of prod are counted. */
const prodTraffics = [
  ['busy', 6],
  ['viral', 1],
] as const;

/**
 * Compares the model with the local stack, with a real engine and with published figures, prints
 * the comparison, and writes it to a file if one is named. Sets the exit code if something is
 * unexplained.
 */
export async function checkModel(signal: AbortSignal, file?: string): Promise<void> {
  const record = await makeRecord(signal);
  for (const line of formatCheck(record.rows)) printLine(line);
  if (file) await writeFile(file, `${JSON.stringify(record, writeUndefined, 2)}\n`);
  if (record.rows.some(({ verdict }) => verdict === 'unexplained')) {
    process.exitCode = exitCodes.failure;
  }
}

const writeUndefined = (_: string, value: unknown) => value ?? null;

async function makeRecord(signal: AbortSignal): Promise<CheckRecord> {
  const code = compileFunctionCode(await buildFunctionCode());
  const small = listSmallTraffics(smallSeconds).length;
  const progress = createProgress(1 + 3 * small + 3 * prodTraffics.length, 'runs');
  try {
    const rows = [
      ...(await checkStack(code, progress, signal)),
      ...(await checkBatches(code, progress, signal)),
      ...(await comparePublished(listPublished())),
    ];
    progress.add();
    return {
      checkedAt: new Date().toISOString(),
      ...{ cpu: cpus()[0]?.model ?? 'unknown', node: process.version, rows },
    };
  } finally {
    progress.end();
  }
}

async function checkStack(
  code: FunctionCode,
  progress: Progress,
  signal: AbortSignal,
): Promise<CheckRow[]> {
  const models = listSmallTraffics(smallSeconds).map(
    (traffic, index): Model => ({ cell: localCell(traffic), traffic, code, seed: index + 1 }),
  );
  progress.note('the small traffics in the model');
  const runs = await inTurn(models, runOwn, progress);
  progress.note('the local stack');
  const recordings = runs.map(({ batches }) =>
    batches.flat().toSorted((a, b) => a.sentMs - b.sentMs),
  );
  const stackRuns = await countOnStack(recordings, signal, () => progress.add());
  progress.note("the stack's batches in the model");
  const comparisons = await inTurn(
    runs.map((run, index) => ({ ...run, onStack: resultAt(stackRuns, index) })),
    compareOnStack,
    progress,
  );
  return compareStack(comparisons);
}

async function compareOnStack({
  model,
  observed,
  onStack: { observed: stack, batches },
}: ModelRun & { onStack: Count }): Promise<StackComparison> {
  const modelOfStackBatches = await countInModel(model, batches);
  const addedMs = stack.invocationMs - observed.invocationMs;
  const slowModel = addedMs > 0 ? (await runModel(model, addedMs)).observed : undefined;
  const { title: traffic } = model.traffic;
  return { traffic, stack, model: observed, slowModel, modelOfStackBatches };
}

async function checkBatches(
  code: FunctionCode,
  progress: Progress,
  signal: AbortSignal,
): Promise<CheckRow[]> {
  const models = prodTraffics.map(([name, seconds], index): Model => {
    const cell: Cell = { stage: 'prod', traffic: name, approach: 'click-tally' };
    return { cell, traffic: beginningOf(name, seconds), code, seed: index + 1 };
  });
  progress.note("prod's batches in the model");
  const runs = await inTurn(models, runOwn, progress);
  const inModel = await inTurn(
    runs,
    async (run) => ({ ...run, modelInTurn: await countInModel(run.model, run.batches) }),
    progress,
  );
  progress.note("prod's batches on dynoxide");
  const lists = runs.map(({ batches }) => batches);
  const onEngine = await replayBatches(lists, signal, () => progress.add());
  return compareBatches(
    inModel.map(({ model: { traffic }, observed, modelInTurn }, index) => ({
      ...{ name: `prod, ${traffic.name}`, model: observed, modelInTurn },
      engine: resultAt(onEngine, index),
    })),
  );
}

interface ModelRun extends Count {
  model: Model;
}

async function runOwn(model: Model): Promise<ModelRun> {
  return { model, ...(await runModel(model)) };
}

/** One after another: they share this thread. */
async function inTurn<T, R>(
  list: readonly T[],
  work: (one: T) => Promise<R>,
  progress: Progress,
): Promise<R[]> {
  const results: R[] = [];
  for (const one of list) {
    results.push(await work(one));
    progress.add();
  }
  return results;
}

function resultAt<T>(results: readonly T[], index: number): T {
  const result = results[index];
  if (result) return result;
  throw new Error(`expected a result for run ${index + 1}; got ${results.length} results`);
}
