import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { printLine } from '../../../terminal/print.ts';
import { exitCodes } from '../../../terminal/program.ts';
import { createProgress, type Progress } from '../../../terminal/progress.ts';
import { compileFunctionCode, type FunctionCode } from '../../simulation/compiled-code.ts';
import { buildFunctionCode } from '../../simulation/function-code.ts';
import type { Cell } from '../result.ts';
import { compareBatches } from './compare-batches.ts';
import { compareStack, type StackComparison } from './compare-stack.ts';
import { countInModel, type Model, runModel } from './model.ts';
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
  const runs = await inTurn(models, (model) => runModel(model), progress);
  progress.note('the local stack');
  const recordings = runs.map(({ batches }) =>
    batches.flat().toSorted((a, b) => a.sentMs - b.sentMs),
  );
  const stackRuns = await countOnStack(recordings, signal, () => progress.add());
  progress.note("the stack's batches in the model");
  const comparisons: StackComparison[] = [];
  for (const [index, { observed: stack, batches }] of stackRuns.entries()) {
    const [model, run] = [models[index], runs[index]];
    if (!model || !run) throw new Error(`expected ${models.length} runs of the local stack`);
    const modelOfStackBatches = await countInModel(model, batches);
    const addedMs = stack.invocationMs - run.observed.invocationMs;
    const slowModel = addedMs > 0 ? (await runModel(model, addedMs)).observed : undefined;
    const { title: traffic } = model.traffic;
    comparisons.push({ traffic, stack, model: run.observed, slowModel, modelOfStackBatches });
    progress.add();
  }
  return compareStack(comparisons);
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
  const runs = await inTurn(models, (model) => runModel(model), progress);
  const lists = runs.map(({ batches }) => batches);
  const pairs = models.map((model, index) => ({ model, batches: lists[index] ?? [] }));
  const inModel = await inTurn(
    pairs,
    ({ model, batches }) => countInModel(model, batches),
    progress,
  );
  progress.note("prod's batches on dynoxide");
  const onEngine = await replayBatches(lists, signal, () => progress.add());
  return compareBatches(
    onEngine.flatMap((engine, index) => {
      const [model, modelInTurn] = [runs[index]?.observed, inModel[index]];
      const name = `prod, ${models[index]?.traffic.name}`;
      return model && modelInTurn ? [{ name, engine, model, modelInTurn }] : [];
    }),
  );
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
