import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Answer } from '../aws-service.ts';
import { type ItemStore, keyOf } from './item-store.ts';
import { answer } from './reads.ts';

export interface BatchWriteItemInput {
  RequestItems: Record<string, { PutRequest: { Item: Item } }[]>;
}

/** Writes each item by itself. Throttled ones come back. */
export function batchWriteItem(
  items: ItemStore,
  { RequestItems }: BatchWriteItemInput,
  isThrottled: () => boolean,
): Answer {
  const [[table, requests] = ['', []]] = Object.entries(RequestItems);
  const unprocessed = requests.filter(() => isThrottled());
  for (const { PutRequest } of requests.filter((request) => !unprocessed.includes(request))) {
    items.commit(new Map([[keyOf(PutRequest.Item), PutRequest.Item]]));
  }
  return answer({ UnprocessedItems: unprocessed.length > 0 ? { [table]: unprocessed } : {} });
}
