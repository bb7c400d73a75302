import { beforeAll, describe, expect, inject, test } from 'vitest';
import { readPackagedService } from '../../../../fixtures/packaged-service.ts';
import { readTemplate } from '../../../../local/engines/template.ts';
import type { CellResult } from '../../../compare/cell.ts';
import { runGauntlet } from '../../../compare/gauntlet.ts';
import { type Approach, type Fault, listCells } from '../../../compare/names.ts';
import { explain } from '../../../compare/report/explanations.ts';
import { isExact } from '../../../compare/report/outcome.ts';

const approaches: Approach[] = ['naive', 'claim-event-id', 'hand-rolled', 'fifo', 'click-tally'];
const faults: Fault[] = ['none', 'message-twice', 'conflict', 'crash-mid-work', 'malformed'];
const exact = { lost: 0, doubled: 0, deadLettered: 0 };

let results: CellResult[];

beforeAll(async () => {
  const cells = listCells().filter(
    ({ approach, fault, effect }) =>
      effect === 'count' && approaches.includes(approach) && faults.includes(fault),
  );
  const service = readPackagedService(await readTemplate(inject('packageDir')));
  // Two batches of ten: SQS redelivers three clicks, or one batch has a fault or an invalid message.
  // This seed puts the malformed message at the end of its batch.
  const options = { cells, service, clickCount: 20, seed: 7, engine: inject('engine'), workers: 1 };
  results = await runGauntlet(options);
});

function resultOf(approach: Approach, fault: Fault): CellResult {
  const result = results.find((cell) => cell.approach === approach && cell.fault === fault);
  if (!result) throw new Error(`Expected a result of ${approach} × ${fault}; there is none.`);
  return result;
}

describe('a slice of the gauntlet on real engines', () => {
  test.each(approaches)('%s is exact without a fault', (approach) => {
    expect(resultOf(approach, 'none')).toMatchObject({ ...exact, expected: 20, counted: 20 });
  });

  test.each(faults)('click-tally is exact through %s', (fault) => {
    expect(resultOf('click-tally', fault)).toMatchObject(exact);
  });

  test('naive counts every redelivered message again', () => {
    expect(resultOf('naive', 'message-twice')).toMatchObject({ ...exact, doubled: 3 });
  });

  test('naive counts the other clicks of a malformed message three times before they become dead letters', () => {
    // Nine valid clicks come before it in the batch. The third delivery is the last one.
    const outcome = { lost: 0, doubled: 18, deadLettered: 9 };
    expect(resultOf('naive', 'malformed')).toMatchObject(outcome);
  });

  test('a claim loses its click if the process dies before the work', () => {
    expect(resultOf('claim-event-id', 'crash-mid-work')).toMatchObject({ ...exact, lost: 1 });
  });

  test('hand-rolled loses one click for each transaction that a conflict cancels', () => {
    const { lost, doubled, deadLettered } = resultOf('hand-rolled', 'conflict');

    // A burst cancels 3 to 6 transactions, and a batch has at most 4 clicks on the hot link.
    expect(lost).toBeGreaterThanOrEqual(3);
    expect(lost).toBeLessThanOrEqual(4);
    expect({ doubled, deadLettered }).toEqual({ doubled: 0, deadLettered: 0 });
  });

  test.each(faults)('fifo is exact through %s', (fault) => {
    expect(resultOf('fifo', fault)).toMatchObject(exact);
  });

  test('the failing cells and no others are explained', () => {
    const failing = results.filter((result) => !isExact(result));

    expect(results.filter((result) => explain(result) !== undefined)).toEqual(failing);
  });
});
