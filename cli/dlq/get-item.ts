import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ClickTable } from '../connection.ts';

/** Reads an item consistently; undefined if it doesn't exist. */
export async function getItem({ dynamodb, name }: ClickTable, Key: Record<string, string>) {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: name, Key, ConsistentRead: true }),
  );
  return Item;
}
