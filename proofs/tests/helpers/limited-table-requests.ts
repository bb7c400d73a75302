import type { Item } from '../../../fixtures/dynamodb-items.ts';
import { LimitedTable } from '../../capacity/limited-table.ts';
import type { Answer } from '../../simulation/aws-service.ts';
import { Faults } from '../../simulation/faults.ts';
import { Statistics } from '../../simulation/statistics.ts';
import { Trace } from '../../simulation/trace.ts';
import { VirtualTime } from '../../simulation/virtual-time.ts';
import { drawPlan } from '../../simulation/world-plan.ts';

/** A request's answer: an error's name, and the reasons of a cancelled transaction. */
interface Told {
  status: number;
  error: string | undefined;
  codes: string[] | undefined;
}

interface Parts {
  previousPeakUnits?: number;
  isDown?: () => boolean;
}

const tableName = 'ClickTable';

/** The key of a link's item. */
export const keyOfLink = (link: string) => ({ PK: { S: `LINK#${link}` }, SK: { S: 'META' } });

/** An update that adds one click. */
export const increment = (Key: Item) => ({
  ...{ TableName: tableName, Key, UpdateExpression: 'ADD clicks :one' },
  ExpressionAttributeValues: { ':one': { N: '1' } },
});

/** A transaction that adds one click to each link. */
export const updates = (...links: string[]) => ({
  TransactItems: links.map((link) => ({ Update: increment(keyOfLink(link)) })),
});

/** A transaction that writes new items of 100 KB, which take 200 units each, under one partition key. */
export const puts = (partitionKey: string, units: number, ConditionExpression?: string) => ({
  TransactItems: Array.from({ length: units / 200 }, (_, index) => {
    const key = { PK: { S: partitionKey }, SK: { S: `SIZE#${index}` } };
    const Item = { ...key, text: { S: 'x'.repeat(102_000) } };
    return { Put: { TableName: tableName, Item, ConditionExpression } };
  }),
});

/** A limited table in its own virtual time, without faults, with its requests' answers. */
export function createLimitedTable({ previousPeakUnits = 0, isDown = () => false }: Parts = {}) {
  const time = new VirtualTime(0);
  const now = () => time.nowMs;
  const statistics = new Statistics();
  const faults = new Faults({ plan: drawPlan(1), now, statistics, trace: new Trace(now) });
  faults.end();
  const table = new LimitedTable({
    ...{ seed: 1, time, faults, statistics, previousPeakUnits, isDown },
  });
  const answers: Told[] = [];
  const handle = (operation: string, input: unknown) =>
    table.handle(operation, input, ({ status, body }: Answer) => {
      const { __type: error, CancellationReasons } = JSON.parse(body);
      const codes = CancellationReasons?.map(({ Code }: { Code: string }) => Code);
      answers.push({ status, error, codes });
    });
  const transact = (input: unknown) => handle('TransactWriteItems', input);
  const settle = (count: number) => time.runUntil(() => answers.length === count);
  /** Uses this many units of the key's partition, without advancing the time. */
  const use = async (partitionKey: string, units: number) => {
    transact(puts(partitionKey, units));
    await settle(answers.length + 1);
    answers.length = 0;
  };
  return { table, time, statistics, answers, handle, transact, settle, use };
}
