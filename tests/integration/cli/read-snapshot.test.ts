import { expect, test } from 'vitest';
import { type Drift, verifyCounts } from '../../../cli/verify/verify-counts.ts';
import { dayOf, link } from '../../helpers/items.ts';
import { useOperatedStack } from '../../helpers/operator.ts';

const longAgo = '2024-02-29';
const stack = useOperatedStack();

test('a total is read again before drift is reported', async () => {
  await stack.table.put(link('one', 5), dayOf('one', longAgo, 5));
  const { database, sqs, outputs } = stack;
  // As if a click had been counted between the scan's reads of the total and of the day.
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
      table: { client: database, tableName: outputs.tableName },
      clickQueue: { sqs, url: outputs.clickQueueUrl },
      clickDlq: { sqs, url: outputs.clickDlqUrl },
      clickRuleDlq: { sqs, url: outputs.clickRuleDlqUrl },
    },
    { segments: 1 },
    (drift) => drifts.push(drift),
    new AbortController().signal,
  );
  database.middlewareStack.remove('lag');

  expect({ clicks, unconfirmed, drifts }).toEqual({ clicks: 4, unconfirmed: 0, drifts: [] });
});
