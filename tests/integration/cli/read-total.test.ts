import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTotal } from '../../../cli/verify/read-total.ts';
import { type Drift, verifyCounts } from '../../../cli/verify/verify.ts';
import { dayOf, type OperatedStack, startOperatedStack, total } from '../../helpers/operator.ts';

const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
const longAgo = '2024-02-29';
let stack: OperatedStack;

beforeEach(async () => {
  stack = await startOperatedStack();
});

afterEach(() => stack.stop());

test('reads a total again before it reports drift', async () => {
  await stack.writeItems([total('one', 5), dayOf('one', longAgo, 5)]);
  const { database, sqs, outputs } = stack;
  // As if a click had been counted after the scan read the total and before it read the day.
  database.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const { Items = [] } = result.output as { Items?: Record<string, unknown>[] };
        const link = Items.find(({ PK, SK }) => PK === 'LINK#one' && SK === 'META');
        if (commandName === 'ScanCommand' && link) link.clicks = 4;
        return result;
      },
    { step: 'initialize', priority: 'high', name: 'lag' },
  );
  const drifts: Drift[] = [];

  const { clicks, unconfirmed } = await verifyCounts(
    {
      stackName: 'the stack',
      table: { dynamodb: database, name: outputs.tableName },
      clickQueue: { sqs, url: outputs.clickQueueUrl },
      clickDlq: { sqs, url: outputs.clickDlqUrl },
    },
    { segments: 1 },
    (drift) => drifts.push(drift),
    new AbortController().signal,
  );
  database.middlewareStack.remove('lag');

  expect({ clicks, unconfirmed, drifts }).toEqual({ clicks: 4, unconfirmed: 0, drifts: [] });
});

test('reads the total of a link with more days than a transaction has items', async () => {
  const days = Array.from({ length: 130 }, (_, index) =>
    dayOf('old', new Date(index * 86_400_000).toISOString().slice(0, 'yyyy-mm-dd'.length), 2),
  );
  await stack.writeItems([total('old', 261), ...days]);
  const table = { dynamodb: stack.database, name: stack.outputs.tableName };

  expect(await readTotal(table, 'old')).toEqual({ code: 'old', clicks: 261, sum: 260 });
});

test('reads a total again after a conflict, and after a click arrived meanwhile', async () => {
  await stack.writeItems([total('live', 1), dayOf('live', today, 1)]);
  const { database, outputs } = stack;
  let attempts = 0;
  database.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactGetItemsCommand') return next(args);
        attempts += 1;
        if (attempts === 1) {
          throw new TransactionCanceledException({ message: 'conflict', $metadata: {} });
        }
        // The days are already listed, so the transaction does not read this one.
        if (attempts === 2) {
          const put = (Item: object) =>
            database.send(new PutCommand({ TableName: outputs.tableName, Item }));
          await put(dayOf('live', longAgo, 1));
          await put(total('live', 2));
        }
        return next(args);
      },
    { step: 'finalizeRequest', name: 'interfere' },
  );

  const read = await readTotal({ dynamodb: database, name: outputs.tableName }, 'live');
  database.middlewareStack.remove('interfere');

  expect(read).toEqual({ code: 'live', clicks: 2, sum: 2 });
  expect(attempts).toBe(3);
});
