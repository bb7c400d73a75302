import type { ServiceChange } from '../tasks.ts';
import { plantedBugs } from './bugs.ts';
import type { PlantedBug } from './planted-bug.ts';

type AnyFunction = (...args: unknown[]) => unknown;

const programmingErrors = [ReferenceError, TypeError, SyntaxError];

/** The change that plants a bug. */
export function toChange({ name, replace }: PlantedBug): ServiceChange {
  const standIns = Object.entries(replace).map(([file, replacements]) => {
    const exports = Object.keys(replacements).map(
      (key) => `export const ${key} =
        guard(plant(${JSON.stringify([name, file, key])}, real.${key}), __broken);`,
    );
    const self = JSON.stringify(`./${file.split('/').at(-1)}`);
    const lines = [
      `import { guard, plant } from ${JSON.stringify(import.meta.filename)};`,
      `import * as real from ${self};`,
      `export * from ${self};`,
      ...exports,
    ];
    return { file, contents: lines.join('\n') };
  });
  return { name, standIns };
}

/** The change that plants the bug with this name, if it exists. */
export function findBug(name: string): ServiceChange | undefined {
  const found = plantedBugs.find((bug) => bug.name === name);
  return found && toChange(found);
}

/** Replaces the real function in the bug's bundle. */
export function plant([name, file, key]: [string, string, string], real: AnyFunction): AnyFunction {
  const bug = plantedBugs.find((each) => each.name === name);
  const replace = new Map<string, object>(Object.entries(bug?.replace ?? {}));
  const make: unknown = Reflect.get(replace.get(file) ?? {}, key);
  if (typeof make !== 'function') throw new Error(`expected "${name}" to replace ${key}`);
  return make(remember(real));
}

/** The real functions' errors, which a planted function may pass on. */
const known = new WeakSet<object>();

// A proxy, because a handler has properties too.
function remember(real: AnyFunction): AnyFunction {
  const keep = (error: Error): never => {
    known.add(error);
    throw error;
  };
  return new Proxy(real, { apply: (_target, _self, args) => attempt(() => real(...args), keep) });
}

/**
 * Passes errors of a planted function's own code to `onBroken`: any service that crashes has
 * violations, so they don't show that the auditor finds the bug.
 */
export function guard(planted: AnyFunction, onBroken: (error: Error) => void): AnyFunction {
  const check = (error: Error): never => {
    const isOwn = programmingErrors.some((kind) => error instanceof kind) && !known.has(error);
    if (isOwn) onBroken(error);
    throw error;
  };
  return (...args) => attempt(() => planted(...args), check);
}

function attempt(action: () => unknown, onError: (error: Error) => never): unknown {
  try {
    const result = action();
    return result instanceof Promise ? result.catch(onError) : result;
  } catch (error) {
    return onError(error as Error);
  }
}
