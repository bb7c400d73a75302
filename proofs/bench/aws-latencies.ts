import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';

/** About what AWS publishes: two round trips within a Region, and one. */
export const transactionMs = 25;
const writeMs = 7;
/** An item takes 1,000 write units a second. A write in a transaction costs two. */
const unitsPerMs = 1;

interface WriteInput {
  TransactItems?: TransactWriteItem[];
  Key?: object;
  Item?: object;
}

/**
 * Makes a client's writes take as long as DynamoDB's, on top of the engine's own time. What exceeds an
 * item's limit waits, which stands for the retries of a throttled request.
 */
export function addAwsLatencies(client: DynamoDBClient): void {
  const freeAtMs = new Map<string, number>();
  client.middlewareStack.add(
    (next) => async (args) => {
      const { TransactItems, Key, Item }: WriteInput = Object(args.input);
      const actions = TransactItems?.flatMap((item) => Object.values(item)) ?? [{ Key, Item }];
      const units = TransactItems ? 2 : 1;
      const nowMs = performance.now();
      const starts = actions.map((action) => {
        const { PK, SK } = action.Key ?? action.Item ?? {};
        const item = JSON.stringify([PK, SK]);
        const startMs = Math.max(nowMs, freeAtMs.get(item) ?? 0);
        freeAtMs.set(item, startMs + units / unitsPerMs);
        return startMs;
      });
      const waitMs = Math.max(...starts) - nowMs + (TransactItems ? transactionMs : writeMs);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      return next(args);
    },
    { step: 'initialize', name: 'awsLatencies' },
  );
}
