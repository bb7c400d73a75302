import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ClickTable } from '../connection.ts';

/** Reads an item, with every earlier write; undefined if there is none. */
export async function getItem({ dynamodb, name }: ClickTable, Key: Record<string, string>) {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: name, Key, ConsistentRead: true }),
  );
  return Item;
}
