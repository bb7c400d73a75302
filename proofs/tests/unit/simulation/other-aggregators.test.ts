import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import { compileFunctionCode, type FunctionCode } from '../../../simulation/compiled-code.ts';
import { ItemStore, keyOf } from '../../../simulation/dynamodb/item-store.ts';
import { buildFunctionCode } from '../../../simulation/function-code.ts';
import type { InvocationEnd } from '../../../simulation/lambda.ts';
import { environmentOf, readSettings } from '../../../simulation/stage-settings.ts';
import { Surroundings } from '../../../simulation/surroundings.ts';
import { drawFaultFreePlan } from '../../../simulation/world-plan.ts';

const at = '2026-05-26T10:00:00Z';
const [settings] = readSettings();
let code: FunctionCode;

/** A queue's function and its table, without faults; requests are in transit for up to 10 ms. */
function createWorld(options: { isUncontended: boolean }) {
  if (!settings) throw new Error('expected a stage in serverless.yml');
  const surroundings = new Surroundings({ ...drawFaultFreePlan(1), startMs: Date.parse(at) }, code);
  const { time, faults, statistics } = surroundings;
  faults.end();
  const items = new ItemStore(createRandom(1, 'table'), surroundings.now, () => {});
  for (const link of ['spring', 'autumn']) {
    const item = { PK: { S: `LINK#${link}` }, SK: { S: 'META' }, clicks: { N: '0' } };
    items.commit(new Map([[keyOf(item), item]]));
  }
  const operations: Record<string, number> = {};
  const network = surroundings.connectTable({
    ...{ items, ...options, durationMs: () => 50, singleWriteDurationMs: () => 5 },
    onSend: (_, { operation }) => {
      operations[operation] = (operations[operation] ?? 0) + 1;
    },
  });
  const aggregator = surroundings.createFunction({
    ...{ role: 'aggregator', network, timeoutMs: 60_000 },
    environment: environmentOf('aggregator', settings),
    onStartFailure: (_, error) => {
      throw error;
    },
  });
  const invoke = async (codes: string[]): Promise<InvocationEnd | undefined> => {
    const bodies = codes.map((link, n) =>
      JSON.stringify({ id: `event-${n}`, detail: { clickId: `click-${n}`, code: link, at } }),
    );
    let outcome: InvocationEnd | undefined;
    aggregator.invoke('invocation', makeBatch(bodies), (ended) => {
      outcome = ended;
    });
    await time.runUntil(() => outcome !== undefined);
    return outcome;
  };
  const read = (PK: string, SK: string) => items.get(keyOf({ PK: { S: PK }, SK: { S: SK } }));
  const readCounts = (link: string) => [
    read(`LINK#${link}`, 'META')?.clicks,
    read(`LINK#${link}`, 'STAT#2026-05-26')?.count,
  ];
  return { invoke, items, operations, readCounts, totals: statistics.totals };
}

const twentyClicks = [...Array<string>(12).fill('spring'), ...Array<string>(8).fill('autumn')];
const noFailures = { answer: { batchItemFailures: [] } };

describe('the hand-rolled aggregator', () => {
  beforeAll(async () => {
    code = compileFunctionCode(await buildFunctionCode([], 'hand-rolled'));
  });

  test('counts 20 clicks in 20 transactions of three items, for six units each', async () => {
    const { invoke, operations, readCounts, totals } = createWorld({ isUncontended: false });

    const outcome = await invoke(twentyClicks);

    expect(outcome).toEqual(noFailures);
    expect(operations).toEqual({ TransactWriteItems: 20 });
    expect(readCounts('spring')).toEqual([{ N: '12' }, { N: '12' }]);
    expect(readCounts('autumn')).toEqual([{ N: '8' }, { N: '8' }]);
    expect(totals['write units']).toBe(120);
  });
});

describe('stock Powertools', () => {
  beforeAll(async () => {
    code = compileFunctionCode(await buildFunctionCode([], 'stock'));
  });

  test('counts a click for one unit, a transaction of two items, and another unit', async () => {
    const { invoke, operations, readCounts, totals } = createWorld({ isUncontended: true });

    const outcome = await invoke(twentyClicks);

    expect(outcome).toEqual(noFailures);
    expect(operations).toEqual({ PutItem: 20, TransactWriteItems: 20, UpdateItem: 20 });
    expect(readCounts('spring')).toEqual([{ N: '12' }, { N: '12' }]);
    expect(readCounts('autumn')).toEqual([{ N: '8' }, { N: '8' }]);
    expect(totals['write units']).toBe(20 + 20 * 4 + 20);
  });

  test('counts a batch that comes again not again, for the unit of each failed put', async () => {
    const { invoke, readCounts, totals } = createWorld({ isUncontended: true });
    await invoke(twentyClicks);
    const before = totals['write units'] ?? 0;

    const outcome = await invoke(twentyClicks);

    expect(outcome).toEqual(noFailures);
    expect(readCounts('spring')).toEqual([{ N: '12' }, { N: '12' }]);
    expect((totals['write units'] ?? 0) - before).toBe(20);
  });

  test('counts one of 20 concurrent clicks of a link, and takes back the records of the others', async () => {
    const { invoke, items, operations, readCounts, totals } = createWorld({ isUncontended: false });

    await invoke(Array<string>(20).fill('spring'));

    expect(readCounts('spring')).toEqual([{ N: '1' }, { N: '1' }]);
    expect(operations).toMatchObject({ PutItem: 20, UpdateItem: 1, DeleteItem: 19 });
    expect([...items.scan()].filter(({ id }) => id)).toHaveLength(1);
    expect(totals['write units']).toBe(20 + 4 + 1 + 19);
    expect(totals['write units of cancelled transactions']).toBe(19 * 4);
  });
});
