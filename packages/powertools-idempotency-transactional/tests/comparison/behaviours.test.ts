import { beforeAll, expect, inject, test } from 'vitest';
import { behaviours } from '../../comparison/behaviours.ts';
import { findSurprises, runBehaviours, type Surprise } from '../../comparison/run.ts';

let surprises: Surprise[];

beforeAll(async () => {
  surprises = findSurprises(await runBehaviours(behaviours, { engine: inject('engine') }));
});

test.each(behaviours.map(({ name }) => name))('stock and ours do what is recorded: %s', (name) => {
  expect(surprises.filter((surprise) => surprise.name === name)).toEqual([]);
});
