import { expect, test } from 'vitest';

// A test that loads the schemas itself sees a mutant of what runs as they load.
const loadSchemas = () => import('../../../lib/links/answer-schemas.ts');

const values = [{ name: 'x', count: 1 }];
const breakdowns = { visitor: values, device: values, referrer: [], hour: [] };

test('statistics have the values of each breakdown, and how often they occur', async () => {
  const { breakdownsSchema } = await loadSchemas();
  const { visitor, ...others } = breakdowns;

  expect(breakdownsSchema.safeParse(breakdowns)).toEqual({ success: true, data: breakdowns });
  expect(breakdownsSchema.safeParse(others).success).toBe(false);
  expect(breakdownsSchema.safeParse({ ...others, visitor: { human: 1 } }).success).toBe(false);
});
