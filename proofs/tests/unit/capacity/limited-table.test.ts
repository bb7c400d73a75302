import { expect, test } from 'vitest';
import { LimitedTable } from '../../../capacity/limited-table.ts';
import type { Answer } from '../../../simulation/aws-service.ts';
import { Faults } from '../../../simulation/faults.ts';
import { Statistics } from '../../../simulation/statistics.ts';
import { Trace } from '../../../simulation/trace.ts';
import { VirtualTime } from '../../../simulation/virtual-time.ts';
import { drawPlan } from '../../../simulation/world-plan.ts';

const keyOf = (link: string) => ({ PK: { S: `LINK#${link}` }, SK: { S: 'META' } });

/** A transaction that adds one click to each link. */
const updates = (...links: string[]) => ({
  TransactItems: links.map((link) => ({
    Update: {
      ...{ TableName: 'ClickTable', Key: keyOf(link), UpdateExpression: 'ADD clicks :one' },
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  })),
});

/** A transaction that writes items of 100 KB, which take 200 units each, to the hot link's partition. */
const puts = (units: number, ConditionExpression?: string) => ({
  TransactItems: Array.from({ length: units / 200 }, (_, index) => {
    const Item = {
      ...{ PK: { S: 'LINK#hot' }, SK: { S: `SIZE#${index}` } },
      text: { S: 'x'.repeat(102_000) },
    };
    return { Put: { TableName: 'ClickTable', Item, ConditionExpression } };
  }),
});

/** A limited table in its own virtual time, without faults. */
function createTable({ previousPeakUnits = 0 } = {}) {
  const time = new VirtualTime(0);
  const now = () => time.nowMs;
  const statistics = new Statistics();
  const faults = new Faults({ plan: drawPlan(1), now, statistics, trace: new Trace(now) });
  faults.end();
  const table = new LimitedTable({
    ...{ seed: 1, time, faults, statistics, previousPeakUnits, isDown: () => false },
  });
  const transact = async (input: object) => {
    let told: Answer | undefined;
    table.handle('TransactWriteItems', input, (answer) => {
      told = answer;
    });
    await time.runUntil(() => told !== undefined);
    const { CancellationReasons: reasons } = JSON.parse(told?.body ?? '');
    const codes = reasons?.map(({ Code }: { Code: string }) => Code);
    return { status: told?.status, codes };
  };
  return { table, time, transact };
}

test('a new table has four partitions, and an older one capacity for twice its previous peak', () => {
  expect(createTable().table.partitions).toBe(4);
  expect(createTable({ previousPeakUnits: 5_100 }).table.partitions).toBe(11);
});

test.each([
  ['1,000 units', [puts(1_000)]],
  [
    '800 units and 400 of cancelled transactions',
    [puts(800), puts(400, 'attribute_not_exists(PK)')],
  ],
])('a partition throttles after %s, until it has regained some', async (_, inputs) => {
  const { table, time, transact } = createTable();
  for (const input of inputs) await transact(input);
  const usedMs = time.nowMs;

  const early = await transact(updates('hot'));
  await time.pass(usedMs + 1_000 - time.nowMs);
  const later = await transact(updates('hot'));

  expect(early).toMatchObject({ status: 400, codes: ['ThrottlingError'] });
  expect(table.throttled).toBe(1);
  expect(later).toMatchObject({ status: 200 });
});
