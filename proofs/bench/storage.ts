import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { storedBytes } from '../../fixtures/stored-bytes.ts';
import { chunk } from '../../lib/chunk.ts';
import { clickSlot } from '../../lib/clicks/placed-id.ts';
import { clickKeyPrefix, clickMarkerKey } from '../../lib/keys.ts';
import type { MarkerStorage } from './measurement.ts';
import { type Runner, runBatch } from './runner.ts';

/** Each of ten environments fills about eight sheets, the last one partly. */
const batches = 10;
const batchSize = 1_000;

/** The limit of BatchGetItem. */
const maxKeys = 100;

/**
 * Counts clicks with a fresh runner of click-tally, and measures its markers.
 * @throws {Error} if a marker is missing.
 */
export async function measureStorage(
  client: DynamoDBClient,
  tableName: string,
  runner: Runner,
): Promise<MarkerStorage> {
  for (let batch = 0; batch < batches; batch++) await runBatch(runner, batchSize);
  const keys = runner.sentIds.map((id) => {
    const idempotencyKey = `${clickKeyPrefix}#${id}`;
    return clickSlot(idempotencyKey)?.sheetKey ?? clickMarkerKey(idempotencyKey);
  });
  const distinctKeys = [...new Map(keys.map((key) => [key.PK, key])).values()];
  let bytes = 0;
  for (const some of chunk(distinctKeys, maxKeys)) {
    const items = await readItems(client, tableName, some);
    for (const item of items) bytes += storedBytes(item);
  }
  const clicks = runner.sentIds.length;
  return { ...runner.contender, clicks, items: distinctKeys.length, bytesPerClick: bytes / clicks };
}

async function readItems(client: DynamoDBClient, tableName: string, keys: object[]) {
  const { Responses } = await client.send(
    new BatchGetItemCommand({
      RequestItems: {
        [tableName]: { Keys: keys.map((key) => marshall(key)), ConsistentRead: true },
      },
    }),
  );
  const items = Responses?.[tableName] ?? [];
  if (items.length < keys.length) {
    throw new Error(`Expected ${keys.length} items of markers; read ${items.length}.`);
  }
  return items;
}
