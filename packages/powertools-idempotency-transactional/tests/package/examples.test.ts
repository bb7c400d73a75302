import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import { useTestDir } from '../../../../tests/helpers/test-dir.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import {
  type DeliverOptions,
  deliver,
  readReadmeExample,
  writeExample,
} from '../helpers/examples.ts';

interface Order {
  id: string;
  customer: string;
  cents: number;
}

const table = useTable();
const newOrder = (): Order => ({ id: randomUUID(), customer: randomUUID(), cents: 250 });
const readCents = async ({ customer }: Order) =>
  (await table.get(`CUSTOMER#${customer}`, 'TOTAL'))?.cents;

const toBatch = (order: Order) => makeBatch([JSON.stringify(order)]);

describe('an order for the example of the README', () => {
  const dir = useTestDir();
  let file = '';

  beforeAll(async () => {
    file = await writeExample(dir.path, await readReadmeExample());
  });

  /** Delivers an order to another instance of the function. */
  const deliverOrder = async (order: Order, options?: DeliverOptions) => {
    const { error, killed } = await deliver({ file, table }, toBatch(order), options);
    return killed ? 'killed' : (error ?? 'done');
  };

  test('counts once, even if it comes again when Powertools’ default hour is over', async () => {
    const order = newOrder();

    const outcomes = [
      await deliverOrder(order),
      await deliverOrder(order, { laterMinutes: 61 }),
      await deliverOrder(order, { laterMinutes: 21 * 24 * 60 }),
    ];

    expect(outcomes).toEqual(['done', 'done', 'done']);
    expect(await readCents(order)).toBe(250);
  });

  test('is refused if it comes again with another price', async () => {
    const order = newOrder();
    await deliverOrder(order);

    const outcome = await deliverOrder({ ...order, cents: 300 });

    expect(outcome).toContain('All records failed processing');
    expect(await readCents(order)).toBe(250);
  });

  test.each([
    ['before the commit, and counts when it comes again', 'before the commit', undefined],
    ['after the commit, and has counted', 'after the commit', 250],
  ] as const)('survives a crash %s', async (_, crash, centsAfterCrash) => {
    const order = newOrder();

    const first = await deliverOrder(order, { crash });
    expect(await readCents(order)).toBe(centsAfterCrash);
    const second = await deliverOrder(order);

    expect([first, second]).toEqual(['killed', 'done']);
    expect(await readCents(order)).toBe(250);
  });
});
