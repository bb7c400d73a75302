import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runTasks } from '../simulation/simulator.ts';
import type { ServiceChange, TracedResult } from '../simulation/tasks.ts';
import { defaults } from './configurations.ts';
import { compile, search } from './spin.ts';
import { kindDefines, type Recorded, traceBounds } from './trace-events.ts';

/** A trace that the model refuses, and the steps up to the one that it does not allow. */
interface Refusal {
  seed: number;
  steps: string[];
}

interface Worlds {
  count: number;
  maxClicks: number;
  from?: number;
  bug?: ServiceChange;
}

const shownSteps = 25;
/** Traces that one run of pan follows. */
const chunkSize = 500;

/** Compiles the model once, to follow traces. */
export async function createFollower(compiler: string, name = 'traces') {
  const defines = { ...defaults, TRACE: 1, ...traceBounds, ...kindDefines };
  const folder = await compile(compiler, name, defines, ['-DSAFETY', '-O1']);

  const follow = async (traces: Map<number, Recorded>): Promise<Refusal[]> => {
    if (traces.size === 0) return [];
    const recorded = [...traces.entries()];
    const rows = recorded.flatMap(([, { rows }]) => [...rows, Array(8).fill(0)]);
    await writeFile(path.join(folder, 'traces'), Int32Array.from(rows.flat()));
    const output = await search(folder, ['-w22', '-m2000000', '-E']);
    const isFollowed = output.includes(`followed ${traces.size} traces`);
    if (!isFollowed || /not completed|errors: [1-9]/i.test(output)) {
      throw new Error(`expected pan to follow ${traces.size} traces; got\n${output}`);
    }
    return Array.from(output.matchAll(/^refused: trace (\d+) at event (\d+)$/gm), (match) => {
      const [seed, { texts }] = recorded[Number(match[1])] ?? [0, { texts: [] }];
      const step = Number(match[2]);
      return { seed, steps: texts.slice(Math.max(0, step - shownSteps), step + 1) };
    });
  };

  /** Runs worlds and follows their traces, until the model refuses some. */
  return async ({ count, maxClicks, from = 1, bug }: Worlds, onWorld = () => {}) => {
    const result = { traces: 0, steps: 0, tooLarge: 0, refused: [] as Refusal[] };
    for (let seed = from; seed < from + count && result.refused.length === 0; seed += chunkSize) {
      const traces = new Map<number, Recorded>();
      const add = ({ seed, recorded }: TracedResult) => {
        onWorld();
        if (recorded && !recorded.isTooLarge) traces.set(seed, recorded);
        else result.tooLarge += 1;
        result.steps += traces.get(seed)?.texts.length ?? 0;
        return true;
      };
      const length = Math.min(chunkSize, from + count - seed);
      const world = { isRecorded: true, options: { maxClicks } };
      const tasks = Array.from({ length }, (_, index) => ({
        ...world,
        seed: seed + index,
        ...(bug && { bug }),
      }));
      await runTasks(tasks.values(), add);
      result.traces += traces.size;
      result.refused = await follow(traces);
    }
    return result;
  };
}
