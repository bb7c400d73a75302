import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defaults } from './configurations.ts';
import { compile, search } from './spin.ts';
import { kindDefines, type Recorded, traceBounds } from './trace-events.ts';

/** A trace that the model refuses, and the steps up to the one that it does not allow. */
export interface Refusal {
  seed: number;
  steps: string[];
}

const shownSteps = 25;

/** Compiles the model once, to follow traces. */
export async function createFollower(compiler: string, name = 'traces') {
  const defines = { ...defaults, TRACE: 1, ...traceBounds, ...kindDefines };
  const folder = await compile(compiler, name, defines, ['-DSAFETY', '-O1']);

  /** Returns the traces that the model refuses. */
  return async (traces: Map<number, Recorded>): Promise<Refusal[]> => {
    const seeds = [...traces.keys()];
    const texts = [...traces.values()].map(({ lines }) => [lines.length, ...lines, ''].join('\n'));
    await writeFile(path.join(folder, 'traces.txt'), texts.join(''));
    const output = await search(folder, ['-w22', '-m2000000', '-E']);
    if (
      !output.includes(`followed ${seeds.length} traces`) ||
      /not completed|errors: [1-9]/i.test(output)
    ) {
      throw new Error(`expected pan to follow ${seeds.length} traces; got\n${output}`);
    }
    return Array.from(output.matchAll(/^refused: trace (\d+) at event (\d+)$/gm), (match) => {
      const [seed = 0, step] = [seeds[Number(match[1])], Number(match[2])];
      const steps = traces.get(seed)?.texts.slice(Math.max(0, step - shownSteps), step + 1) ?? [];
      return { seed, steps };
    });
  };
}
