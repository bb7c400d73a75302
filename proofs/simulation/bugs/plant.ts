import type { StandIn } from '../function-code.ts';
import { plantedBugs } from './bugs.ts';
import type { PlantedBug } from './planted-bug.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** The modules that plant a bug. */
export function standInsOf(name: string): StandIn[] {
  return Object.entries(findBug(name).replace).map(([file, replacements]) => {
    const exports = Object.keys(replacements).map(
      (key) => `export const ${key} = plant(${JSON.stringify([name, file, key])}, real.${key});`,
    );
    const self = JSON.stringify(`./${file.split('/').at(-1)}`);
    const lines = [
      `import { plant } from ${JSON.stringify(import.meta.filename)};`,
      `import * as real from ${self};`,
      `export * from ${self};`,
      ...exports,
    ];
    return { file, contents: lines.join('\n') };
  });
}

/** Replaces the real function in the bug's bundle. */
export function plant([name, file, key]: [string, string, string], real: AnyFunction): AnyFunction {
  const replace = new Map<string, object>(Object.entries(findBug(name).replace));
  const make: unknown = Reflect.get(replace.get(file) ?? {}, key);
  if (typeof make !== 'function') throw new Error(`expected "${name}" to replace ${key}`);
  return make(real);
}

function findBug(name: string): PlantedBug {
  const bug = plantedBugs.find((each) => each.name === name);
  if (!bug) throw new Error(`expected the name of a planted bug; got ${name}`);
  return bug;
}
