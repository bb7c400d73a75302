import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { CellResult } from '../../../evidence/compare/cell.ts';
import { runGauntlet } from '../../../evidence/compare/gauntlet.ts';
import { type Approach, type Fault, listCells } from '../../../evidence/compare/names.ts';
import { explain } from '../../../evidence/compare/report/explanations.ts';
import { isExact } from '../../../evidence/compare/report/outcome.ts';
import { readSettings } from '../../../evidence/kit/packaged-service.ts';

const approaches: Approach[] = ['naive', 'claim-event-id', 'hand-rolled', 'fifo', 'click-tally'];
const faults: Fault[] = ['none', 'message-twice', 'conflict', 'crash-mid-work', 'malformed'];
const exact = { lost: 0, doubled: 0, deadLettered: 0 };

let results: CellResult[];

beforeAll(async () => {
  const cells = listCells().filter(
    ({ approach, fault, effect }) =>
      effect === 'count' && approaches.includes(approach) && faults.includes(fault),
  );
  const settings = await readSettings(inject('packageDir'));
  // Two batches of ten: three clicks come twice, one batch meets trouble, one is short of a click.
  const options = { cells, settings, clickCount: 20, seed: 1, engine: inject('engine'), lanes: 1 };
  results = await runGauntlet(options);
});

function resultOf(approach: Approach, fault: Fault): CellResult {
  const result = results.find((cell) => cell.approach === approach && cell.fault === fault);
  if (!result) throw new Error(`There is no cell ${approach} × ${fault}.`);
  return result;
}

describe('a slice of the gauntlet, run for real', () => {
  test.each(approaches)('%s is exact where nothing goes wrong', (approach) => {
    expect(resultOf(approach, 'none')).toMatchObject({ ...exact, expected: 20, counted: 20 });
  });

  test.each(faults)('click-tally is exact through %s', (fault) => {
    expect(resultOf('click-tally', fault)).toMatchObject(exact);
  });

  test('naive counts again what is delivered again', () => {
    expect(resultOf('naive', 'message-twice')).toMatchObject({ ...exact, doubled: 3 });
  });

  test('naive counts the neighbours of a malformed message three times and then gives them up', () => {
    // Nine good clicks in the batch; the third failure was their last attempt.
    const verdict = { lost: 0, doubled: 18, deadLettered: 9 };
    expect(resultOf('naive', 'malformed')).toMatchObject(verdict);
  });

  test('a claim whose owner was killed loses its click', () => {
    expect(resultOf('claim-event-id', 'crash-mid-work')).toMatchObject({ ...exact, lost: 1 });
  });

  test('hand-rolled loses clicks to contention, one for each cancelled transaction', () => {
    const { lost, doubled, deadLettered } = resultOf('hand-rolled', 'conflict');
    // A burst is 3 to 6 transactions long, and at most 4 clicks of a batch are on the hot link.
    expect(lost).toBeGreaterThanOrEqual(3);
    expect(lost).toBeLessThanOrEqual(4);
    expect({ doubled, deadLettered }).toEqual({ doubled: 0, deadLettered: 0 });
  });

  test('fifo is exact through all of these', () => {
    for (const fault of faults) expect(resultOf('fifo', fault)).toMatchObject(exact);
  });

  test('each failing cell is explained', () => {
    for (const result of results) {
      expect(explain(result) !== undefined, `${result.approach} × ${result.fault}`).toBe(
        !isExact(result),
      );
    }
  });
});
