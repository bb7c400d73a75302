import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { WriteUnprovenError } from './retry.ts';
import type { TableAccess } from './table-access.ts';

export type Update = Omit<UpdateCommandInput, 'TableName'>;

/** The item after the update or, if its condition failed, as it is; undefined if it's missing. */
type Updated<T> = { isRefused: false; item: T } | { isRefused: true; item?: T };

/**
 * Updates an item if the update's condition holds, in one attempt. Throws `WriteUnprovenError` if
 * the response doesn't prove the update.
 */
export async function updateItem<T>(
  { client, tableName, abortSignal }: TableAccess,
  update: Update,
): Promise<Updated<T>> {
  const command = new UpdateCommand({
    ...update,
    TableName: tableName,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes } = await client.send(command, { abortSignal });
    if (Attributes) return { isRefused: false, item: Attributes as T };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { isRefused: true, item: error.Item && (unmarshall(error.Item) as T) };
  }
  throw new WriteUnprovenError('expected the updated item in the response; got none');
}
