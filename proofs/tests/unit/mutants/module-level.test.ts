import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { moduleLevel, strykerPlugins } from '../../../mutants/module-level.ts';

/** The fields of Stryker's mutants that are read here. */
interface Planned {
  replacement: string;
  /** Why Stryker ignores it. */
  statusReason?: string;
}

interface Instrumenter {
  instrument(
    files: { name: string; mutate: boolean; content: string }[],
    options: { ignorers: unknown[]; plugins: null; excludedMutations: string[] },
  ): Promise<{ mutants: Planned[] }>;
}

interface InstrumenterPackage {
  Instrumenter: new (logger: object) => Instrumenter;
}

const reason = 'It runs only as its module loads.';
const silent = { isDebugEnabled: () => false, debug: () => {}, info: () => {} };

/** Stryker's own dependency, which parses code and does not run it. */
async function createInstrumenter(): Promise<Instrumenter> {
  const core = createRequire(import.meta.url).resolve('@stryker-mutator/core');
  const file = createRequire(core).resolve('@stryker-mutator/instrumenter');
  const { Instrumenter }: InstrumenterPackage = await import(pathToFileURL(file).href);
  return new Instrumenter(silent);
}

/** The mutants of a module that Stryker would try, and those that it would ignore. */
async function plan(content: string) {
  const instrumenter = await createInstrumenter();
  const { mutants } = await instrumenter.instrument([{ name: 'a.ts', mutate: true, content }], {
    ignorers: strykerPlugins.map(({ value }) => value),
    plugins: null,
    excludedMutations: [],
  });
  const [leftOut = [], tried = []] = [true, false].map((isLeftOut) =>
    mutants
      .filter(({ statusReason }) => (statusReason === reason) === isLeftOut)
      .map(({ replacement }) => replacement),
  );
  return { leftOut, tried };
}

test.each([
  ['a constant', 'const most = 2 * 3;', ['2 / 3']],
  ['a call', 'const most = double(2 * 3);', ['2 / 3']],
  [
    'a static property',
    'class A { static most = 2 * 3; static #least = 4 * 5; }',
    ['2 / 3', '4 / 5'],
  ],
])('%s runs only when its module loads', async (_, code, leftOut) => {
  expect(await plan(code)).toEqual({ leftOut, tried: [] });
});

test.each([
  ['a function', 'function double(n: number) { return n * 2; }', ['{}', 'n / 2']],
  ['a default of a parameter', 'function double(n = 2 * 3) {}', ['2 / 3']],
  ['a method', 'class A { double(n: number) { return n * 2; } }', ['{}', 'n / 2']],
  ["an instance's property", 'class A { most = 2 * 3; #least = 4 * 5; }', ['2 / 3', '4 / 5']],
  ['a function as an argument', 'const all = map((n) => n * 2);', ['() => undefined', 'n / 2']],
  [
    "a property of a function's object",
    'function read() { return { most: 2 * 3 }; }',
    ['{}', '{}', '2 / 3'],
  ],
])('%s runs later, too', async (_, code, tried) => {
  expect(await plan(code)).toEqual({ leftOut: [], tried });
});

test("only the functions of an object's properties run later", async () => {
  expect(await plan('const rule = { most: 2 * 3, half: (n: number) => n / 2 };')).toEqual({
    leftOut: ['2 / 3'],
    tried: ['{}', '() => undefined', 'n * 2'],
  });
});

test('Stryker finds the plugin by the name in its settings', () => {
  expect(strykerPlugins).toMatchObject([{ kind: 'Ignore', name: moduleLevel }]);
});
