import { expect, test } from 'vitest';
import { renderApproaches } from '../../../bench/approaches-table.ts';
import type { Measurement } from '../../../bench/measure.ts';

const measure = (
  approach: string,
  links: number,
  clicksPerSecond: number,
  changes: Partial<Measurement> = {},
): Measurement => ({
  ...{ approach, links, batch: 100, clicksPerSecond },
  ...{ writeUnitsPerClick: 2, requestsPerClick: 1, p50Ms: 10, exact: true, ...changes },
});

test('each speed is relative to both hand-rolled transactions in the same scenario', () => {
  const table = renderApproaches(
    [
      measure('hand-rolled', 1, 100),
      measure('hand-rolled', 1, 900, { batch: 1 }),
      measure('hand-rolled', 20, 7),
      measure('hand-rolled-parallel', 1, 200),
      measure('hand-rolled-parallel', 20, 14),
      measure('click-tally', 1, 1_500),
      measure('click-tally', 20, 70, { exact: false }),
    ],
    100,
  );

  expect(table.split('\n').at(-1)).toBe(
    '| **click-tally** | 2.00, 2.00 | 1.00, 1.00 | 15.0, 10.0 | 7.5, 5.0 | 10, 10 | **no** |',
  );
});
