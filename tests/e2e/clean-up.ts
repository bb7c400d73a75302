import { DeleteMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { toSlotValue } from 'powertools-idempotency-transactional';
import { type DeadLetter, walkDeadLetters } from '../../cli/dlq/dead-letters.ts';
import { hashClick } from '../../lib/clicks/click.ts';
import { retryWhileBusy } from '../../lib/dynamodb/requests.ts';
import { clickSheetPrefix, dayKey } from '../../lib/keys.ts';
import { connectTarget, type Target } from './target.ts';

interface ItemsOfRun {
  runId: string;
  outputs: Pick<Target['outputs'], 'TableName'>;
}

const { PK: linkPrefix, SK: dayPrefix } = dayKey('', '');

/** Deletes a run's links, days, markers and dead letters. Returns how many it deleted. */
export async function cleanUp(target: Target): Promise<{ items: number; deadLetters: number }> {
  const { dynamodb, sqs, events } = connectTarget(target);
  try {
    return {
      items: await deleteItems(DynamoDBDocumentClient.from(dynamodb), target),
      deadLetters: (await takeDeadLetters(sqs, target)).length,
    };
  } finally {
    for (const client of [dynamodb, sqs, events]) client.destroy();
  }
}

/**
 * Deletes a run's items and returns how many. The service chose the visits' click ids, so this scans
 * the whole table for their markers. Slots of sheets don't have a link's code, so a second scan finds
 * them by the hashes of the deleted days.
 */
export async function deleteItems(
  client: DynamoDBDocumentClient,
  { outputs: { TableName }, runId }: ItemsOfRun,
): Promise<number> {
  const pages = paginateScan(
    { client },
    {
      TableName,
      ConsistentRead: true,
      ProjectionExpression: 'PK, SK',
      FilterExpression: 'begins_with(PK, :link) OR begins_with(#code, :run)',
      ExpressionAttributeNames: { '#code': 'code' },
      ExpressionAttributeValues: { ':link': `LINK#${runId}`, ':run': runId },
    },
  );
  const slotValues = new Set<string>();
  let deleted = 0;
  for await (const { Items = [] } of pages) {
    for (const { PK, SK } of Items) {
      if (SK.startsWith(dayPrefix)) slotValues.add(slotValueOf(PK, SK));
    }
    await Promise.all(
      Items.map(({ PK, SK }) => client.send(new DeleteCommand({ TableName, Key: { PK, SK } }))),
    );
    deleted += Items.length;
  }
  await freeSlots(client, TableName, slotValues);
  return deleted;
}

function slotValueOf(PK: string, SK: string): string {
  const [code, day] = [PK.slice(linkPrefix.length), SK.slice(dayPrefix.length)];
  return toHex(toSlotValue(hashClick({ code, day })));
}

function toHex(bytes: unknown): string {
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : '';
}

/** Frees the slots with one of these values. Other slots stay. */
async function freeSlots(
  client: DynamoDBDocumentClient,
  TableName: string,
  slotValues: Set<string>,
): Promise<void> {
  const pages = paginateScan(
    { client },
    {
      TableName,
      ConsistentRead: true,
      FilterExpression: 'begins_with(PK, :sheet)',
      ExpressionAttributeValues: { ':sheet': `${clickSheetPrefix}#` },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const { PK, SK, ...slots } of Items) {
      const names = Object.keys(slots).filter((name) => slotValues.has(toHex(slots[name])));
      if (names.length === 0) continue;
      const UpdateExpression = `REMOVE ${names.join(', ')}`;
      // The aggregator may be writing to the sheet at the same time.
      await retryWhileBusy(() =>
        client.send(new UpdateCommand({ TableName, Key: { PK, SK }, UpdateExpression })),
      );
    }
  }
}

/** Deletes only this run's dead letters and returns their bodies. */
export async function takeDeadLetters(sqs: SQSClient, target: Target): Promise<string[]> {
  const url = target.outputs.ClickDlqUrl;
  const taken: string[] = [];
  const visit = async ({ body, receiptHandle }: DeadLetter) => {
    if (!body.includes(target.runId)) return 'stays';
    await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receiptHandle }));
    taken.push(body);
    return 'gone';
  };
  await walkDeadLetters({ sqs, url }, visit, { signal: new AbortController().signal });
  return taken;
}
