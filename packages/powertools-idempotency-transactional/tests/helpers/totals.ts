import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Effects } from 'powertools-idempotency-transactional';
import type { TestTable } from '../../../../tests/helpers/test-table.ts';

/** The key of a customer's total, as in the examples. */
export const totalKey = (customer: string) => ({ PK: `CUSTOMER#${customer}`, SK: 'TOTAL' });

/** Adds to a customer's total. */
export const addToTotal = (customer: string, by: number | bigint): Effects => ({
  increments: [{ key: totalKey(customer), attribute: 'cents', by }],
});

/** Adds to it without the layer. */
export async function addDirectly(client: DynamoDBClient, customer: string, by: number | bigint) {
  const update = new UpdateItemCommand({
    TableName: process.env.TABLE_NAME,
    Key: marshall(totalKey(customer)),
    UpdateExpression: 'ADD cents :by',
    ExpressionAttributeValues: { ':by': { N: String(by) } },
  });
  await client.send(update);
}

/** A customer's total; 0 if there's none. */
export async function readTotal({ get }: TestTable, customer: string): Promise<number> {
  const { PK, SK } = totalKey(customer);
  return (await get(PK, SK))?.cents ?? 0;
}
