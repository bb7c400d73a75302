import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type Engine, type RunningDynamoDb, startDynamoDb } from '../local/dynamodb.ts';
import { createTeardown, type Teardown } from '../local/teardown.ts';
import type { CellOptions, CellResult } from './cell.ts';
import { bundleFunctions } from './function-bundle.ts';
import type { FromLane, LaneSetup, ToLane } from './lane.ts';
import type { Cell } from './names.ts';
import type { Settings } from './settings.ts';

export type GauntletOptions = CellOptions & {
  cells: Cell[];
  settings: Settings;
  engine?: Engine;
  /** How many cells run at a time, each in a process with a clock of its own. */
  lanes?: number;
  onResult?: (result: CellResult, done: number) => void;
};

/** Far more than a cell needs on a slow machine. */
const answerTimeoutMs = 180_000;

type Lane = {
  run(cell: Cell, options: CellOptions): Promise<CellResult>;
  stop(): Promise<void>;
};

export type GauntletResult = {
  /** In the order of the cells. */
  results: CellResult[];
  /** What stood for DynamoDB. */
  engine: RunningDynamoDb['engine'];
};

/** Runs the cells, each on the local engines. */
export async function runGauntlet(options: GauntletOptions): Promise<GauntletResult> {
  const teardown = createTeardown();
  try {
    const { settings } = options;
    const [{ engine, endpoint: dynamodbEndpoint }, { entry: functionEntry, compileCacheDir }] =
      await Promise.all([
        teardown.use(startDynamoDb(options.engine ? { engine: options.engine } : {})),
        teardown.use(bundleFunctions()),
      ]);
    const setup = { settings, dynamodbEndpoint, functionEntry, compileCacheDir };
    return { engine, results: await runCells(options, setup, teardown) };
  } finally {
    await teardown.stop();
  }
}

async function runCells(
  { cells, onResult, ...options }: GauntletOptions,
  setup: LaneSetup,
  teardown: Teardown,
): Promise<CellResult[]> {
  const results: CellResult[] = [];
  let done = 0;
  const runIn = async (lane: Lane, queue: [number, Cell][]) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, cell] = next;
      const { clickCount, seed } = options;
      const result = await lane.run(cell, { clickCount, seed });
      results[index] = result;
      done += 1;
      onResult?.(result, done);
    }
  };
  const indexed = [...cells.entries()];
  const isMeasured = ({ fault, effect }: Cell) => fault === 'none' && effect === 'count';
  const measured = indexed.filter(([, cell]) => isMeasured(cell));
  const others = indexed.filter(([, cell]) => !isMeasured(cell));
  const count = Math.min(Math.max(others.length, 1), options.lanes ?? availableParallelism() + 1);
  const starting = Array.from({ length: count }, () => teardown.use(startLane(setup)));
  const lanes = await Promise.all(starting);
  // What things cost is told from undisturbed runs, so nothing else may run beside these.
  if (lanes[0]) await runIn(lanes[0], measured);
  await Promise.all(lanes.map((lane) => runIn(lane, others)));
  return results;
}

async function startLane(setup: LaneSetup): Promise<Lane> {
  const child = fork(path.join(import.meta.dirname, 'lane.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await ask(child, { type: 'start', setup });
  return {
    async run(cell, options) {
      const answer = await ask(child, { type: 'run', cell, options });
      if (answer.type !== 'result') throw new Error('A lane answered out of turn.');
      return answer.result;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.send({ type: 'stop' } satisfies ToLane);
      await exited;
    },
  };
}

function ask(child: ChildProcess, question: ToLane): Promise<FromLane> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      child.off('message', listen);
      child.off('exit', fail);
    };
    const listen = (answer: FromLane) => {
      settle();
      if (answer.type === 'failed') reject(new Error(answer.error));
      else resolve(answer);
    };
    const fail = (code: number | null) => {
      settle();
      reject(new Error(`A lane ended with ${code}.`));
    };
    const giveUp = () => {
      settle();
      reject(
        new Error(`There was no end within ${answerTimeoutMs} ms of ${JSON.stringify(question)}.`),
      );
    };
    const timer = setTimeout(giveUp, answerTimeoutMs);
    child.on('message', listen).on('exit', fail);
    child.send(question);
  });
}
