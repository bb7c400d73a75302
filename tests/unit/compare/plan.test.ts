import { describe, expect, test } from 'vitest';
import { type Fault, faults } from '../../../evidence/compare/names.ts';
import { planCell } from '../../../evidence/compare/plan.ts';

const size = { clickCount: 200, batchSize: 10, seed: 7 };
const names = Object.keys(faults) as Fault[];
const ids = (fault: Fault) =>
  planCell(fault, size).batches.flatMap(({ messages }) => messages.map(({ body }) => body));

describe.each(names)('the plan of %s', (fault) => {
  test('is the same for the same seed', () => {
    expect(planCell(fault, size)).toEqual(planCell(fault, size));
  });

  test('sends every click that must be counted, in batches that are not too large', () => {
    const { clicks, batches } = planCell(fault, size);
    const sent = batches.flatMap(({ messages }) => messages.map(({ click }) => click?.clickId));
    expect(clicks).toHaveLength(200);
    for (const { clickId } of clicks) expect(sent).toContain(clickId);
    for (const { messages } of batches) expect(messages.length).toBeLessThanOrEqual(10);
  });
});

test('another seed makes other faults', () => {
  expect(planCell('conflict', { ...size, seed: 8 })).not.toEqual(planCell('conflict', size));
});

test('an event that is delivered twice is the same event; one that is published twice is not', () => {
  // 200 clicks and a tenth of them again.
  expect(ids('event-twice')).toHaveLength(220);
  expect(new Set(ids('event-twice')).size).toBe(200);
  expect(new Set(ids('published-twice')).size).toBe(220);
});

test('a fifth of the batches meets trouble', () => {
  const troubled = planCell('throttling', size).batches.filter(({ trouble }) => trouble);
  expect(troubled).toHaveLength(4);
});
