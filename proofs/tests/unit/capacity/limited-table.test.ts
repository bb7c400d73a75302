import { expect, test } from 'vitest';
import { LimitedTable } from '../../../capacity/limited-table.ts';
import type { Answer } from '../../../simulation/aws-service.ts';
import { VirtualTime } from '../../../simulation/virtual-time.ts';

/** Writes items of 100 KB, which take 200 units each, to the partition of one link. */
const puts = (units: number, ConditionExpression?: string) => ({
  TransactItems: Array.from({ length: units / 200 }, (_, index) => {
    const key = { PK: { S: 'LINK#hot' }, SK: { S: `SIZE#${index}` } };
    const Item = { ...key, text: { S: 'x'.repeat(102_000) } };
    return { Put: { TableName: 'ClickTable', Item, ConditionExpression } };
  }),
});

test('a new table has four partitions, and an older one capacity for twice its previous peak', () => {
  const partitionsAfter = (peakUnits: number) =>
    new LimitedTable(1, new VirtualTime(0), peakUnits).partitions;

  expect(partitionsAfter(0)).toBe(4);
  expect(partitionsAfter(5_100)).toBe(11);
});

test.each([
  ['1,000 units', [puts(1_000)]],
  [
    '800 units and 400 of cancelled transactions',
    [puts(800), puts(400, 'attribute_not_exists(PK)')],
  ],
])('a partition throttles after %s, until it has regained some', async (_, inputs) => {
  const time = new VirtualTime(0);
  const table = new LimitedTable(1, time, 0);
  const transact = async (input: object) => {
    let told: Answer | undefined;
    table.handle('TransactWriteItems', input, (answer) => {
      told = answer;
    });
    await time.runUntil(() => told !== undefined);
    return told;
  };
  for (const input of inputs) await transact(input);
  const usedMs = time.nowMs;

  const early = await transact(puts(200));
  await time.pass(usedMs + 1_000 - time.nowMs);
  const later = await transact(puts(200));

  expect(early?.body).toContain('"CancellationReasons":[{"Code":"ThrottlingError"}]');
  expect(table.throttled).toBe(1);
  expect(later?.status).toBe(200);
});

test('a provisioned table throttles above its units, and has more after two busy minutes', async () => {
  const time = new VirtualTime(0);
  const table = new LimitedTable(1, time, 0, 100);
  const counted: number[] = [];
  for (let minute = 0; minute < 6; minute += 1) {
    counted.push(0);
    for (let tenth = 0; tenth < 600; tenth += 1) {
      table.handle('TransactWriteItems', puts(200), ({ status }) => {
        if (status === 200) counted[minute] = (counted[minute] ?? 0) + 1;
      });
      await time.pass(100);
    }
  }

  // 100 units a second, and from the sixth minute on 100 / 0.7.
  expect(counted.map((transactions) => Math.round((transactions * 200) / 60 / 10))).toEqual([
    ...[10, 10, 10, 10, 10, 14],
  ]);
});
