import type { Change } from '../function-code.ts';
import type { Roll } from '../simulator.ts';

/** A deliberate bug that the simulation must find. */
export interface PlantedBug {
  name: string;
  /** The kind of violation that it must cause. */
  kind: string;
  /** The seed of a small world that finds it. It's tried first, because a search takes minutes. */
  world: number;
  changes: Change[];
  /** For a bug that only worlds with two versions show. */
  roll?: Roll;
}

/**
 * Creates a function that replaces an export of a module. `make` gets the module and returns what its
 * importers get instead. It becomes a text in the functions' bundle, so it can't use anything of this file.
 */
export function inModule<Module>(file: string) {
  return <Name extends keyof Module & string>(
    name: Name,
    make: (original: Module) => Module[Name],
  ): Change => ({ file, name, make: String(make) });
}
