import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { dollarsOf } from '../../../capacity/costs.ts';
import { countEdits, unitsAtRest } from '../../../capacity/standby-price.ts';

const atRest = dollarsOf({ atRest: unitsAtRest });
const thousandEdits = dollarsOf({ edits: countEdits(1_000) });

test('a standby costs at most $1.50 a month at rest, and a cent for a thousand edits', () => {
  expect(atRest).toBeLessThanOrEqual(1.5);
  expect(thousandEdits).toBeLessThanOrEqual(0.01);
});

test('a thousand edits cost writes, reads and invocations', () => {
  // 4,000 write units at 0.625 a million, 1,000 reads at 0.125, 1,000 requests at 0.20, and 75 GB-s.
  expect(thousandEdits).toBeCloseTo(0.0025 + 0.000125 + 0.0002 + 75 * 0.0000133334, 8);
});

test('they cost what docs/settings.md says', async () => {
  const [, text = ''] = (await readFile('docs/settings.md', 'utf8')).split(
    '### What a standby costs',
  );
  const [, rest, edits] =
    /At rest, \$([\d.]+) a month.*edits\s+cost about \$([\d.]+)/s.exec(text) ?? [];

  expect(rest).toBe(atRest.toFixed(2));
  expect(edits).toBe(thousandEdits.toFixed(3));
});
