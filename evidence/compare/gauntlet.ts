import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type Engine, startDynamoDb } from '../../local/engines/dynamodb.ts';
import { createTeardown } from '../../local/engines/teardown.ts';
import type { Settings } from '../kit/packaged-service.ts';
import type { CellOptions, CellResult } from './cell.ts';
import { bundleFunctions } from './function-bundle.ts';
import type { FromLane, LaneSetup, ToLane } from './lane.ts';
import type { Cell } from './names.ts';

export type GauntletOptions = CellOptions & {
  cells: Cell[];
  /** May still be on its way: much else can start in the meantime. */
  settings: Settings | Promise<Settings>;
  engine?: Engine;
  /** How many cells run at a time, each in a process with a clock of its own. */
  lanes?: number;
  onResult?: (result: CellResult, done: number) => void;
};

/** Far more than a cell needs on a slow machine. */
const answerTimeoutMs = 180_000;

/** A lane waits now and then, so there may be more of them than processors. */
const extraLanes = 2;
const maxLanes = 8;

type Lane = {
  start(setup: LaneSetup): Promise<void>;
  run(cell: Cell, options: CellOptions): Promise<CellResult>;
  stop(): Promise<void>;
};

/** Runs the cells on the local engines; the results are in the order of the cells. */
export async function runGauntlet(options: GauntletOptions): Promise<CellResult[]> {
  const teardown = createTeardown();
  try {
    const { engine: wanted, lanes: count = chooseLaneCount() } = options;
    const lanes = Array.from({ length: Math.min(count, options.cells.length) }, forkLane);
    for (const lane of lanes) void teardown.use(lane);
    const [settings, { endpoint }, { entry, compileCacheDir }] = await Promise.all([
      options.settings,
      teardown.use(startDynamoDb(wanted ? { engine: wanted } : {})),
      teardown.use(bundleFunctions()),
    ]);
    const setup = { settings, dynamodbEndpoint: endpoint, functionEntry: entry, compileCacheDir };
    await Promise.all(lanes.map((lane) => lane.start(setup)));
    return await runCells(options, lanes);
  } finally {
    await teardown.stop();
  }
}

function chooseLaneCount(): number {
  return Math.min(maxLanes, availableParallelism() + extraLanes);
}

async function runCells(
  { cells, onResult, ...options }: GauntletOptions,
  lanes: Lane[],
): Promise<CellResult[]> {
  const results: CellResult[] = [];
  let done = 0;
  const queue = [...cells.entries()];
  const runIn = async (lane: Lane) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, cell] = next;
      const { clickCount, seed } = options;
      const result = await lane.run(cell, { clickCount, seed });
      results[index] = result;
      done += 1;
      onResult?.(result, done);
    }
  };
  await Promise.all(lanes.map(runIn));
  return results;
}

function forkLane(): Lane {
  const child = fork(path.join(import.meta.dirname, 'lane.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    async start(setup) {
      await ask(child, { type: 'start', setup });
    },
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
