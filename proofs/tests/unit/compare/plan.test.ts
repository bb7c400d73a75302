import { describe, expect, test } from 'vitest';
import { faults } from '../../../compare/names.ts';
import { planCell } from '../../../compare/plan.ts';

const size = { clickCount: 200, batchSize: 10, seed: 7 };

describe.each(faults)('the plan of %s', (fault) => {
  test('is the same for the same seed', () => {
    expect(planCell(fault, size)).toEqual(planCell(fault, size));
  });

  test('sends every countable click, in batches of at most ten messages', () => {
    const { clicks, batches } = planCell(fault, size);

    const sent = batches.flatMap(({ messages }) => messages.map(({ click }) => click?.clickId));
    expect(clicks).toHaveLength(200);
    for (const { clickId } of clicks) expect(sent).toContain(clickId);
    for (const { messages } of batches) expect(messages.length).toBeLessThanOrEqual(10);
  });
});

test('another seed plans other faults', () => {
  expect(planCell('conflict', { ...size, seed: 8 })).not.toEqual(planCell('conflict', size));
});

test.each([
  // 200 clicks, a tenth of them twice.
  ['an event that is delivered twice keeps its id', 'event-twice', 200],
  ['a click that is published twice has two event ids', 'published-twice', 220],
] as const)('%s', (_, fault, distinctBodies) => {
  const { batches } = planCell(fault, size);

  const bodies = batches.flatMap(({ messages }) => messages.map(({ body }) => body));
  expect(bodies).toHaveLength(220);
  expect(new Set(bodies).size).toBe(distinctBodies);
});

test('a fault is injected into a fifth of the batches', () => {
  const { batches } = planCell('throttling', size);

  expect(batches).toHaveLength(20);
  expect(batches.filter(({ fault }) => fault)).toHaveLength(4);
});
