import {
  GetQueueAttributesCommand,
  type QueueAttributeName,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { clickQueueUrl } from '../clicks/click-event.ts';
import { updateItem } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { backlogKey } from '../keys.ts';
import { logger } from '../telemetry/powertools.ts';
import type { BacklogAnswer } from './answer-schemas.ts';

interface QueueUrls {
  /** The first queue's URL. */
  clickQueue: string;
  clickQueues: number;
  deadLetterQueues: readonly string[];
}

const visible = 'ApproximateNumberOfMessages';
const inFlight = 'ApproximateNumberOfMessagesNotVisible';
const delayed = 'ApproximateNumberOfMessagesDelayed';

/** Timeout for SQS, retries included. The lease lasts longer. */
const timeoutMs = 2_000;

/** Counts the messages that are waiting and set aside. Throws if SQS doesn't return a number. */
export async function countBacklog(sqs: SQSClient, queueUrls: QueueUrls) {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const count = async (QueueUrl: string, AttributeNames: QueueAttributeName[]) => {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames });
    const { Attributes = {} } = await sqs.send(command, { abortSignal });
    return sum(AttributeNames.map((name) => toCount(name, Attributes[name])));
  };
  const countAll = async (urls: readonly string[], attributes: QueueAttributeName[]) =>
    sum(await Promise.all(urls.map((url) => count(url, attributes))));
  const [waiting, setAside] = await Promise.all([
    countAll(listClickQueues(queueUrls), [visible, inFlight, delayed]),
    countAll(queueUrls.deadLetterQueues, [visible, inFlight]),
  ]);
  return { waiting, setAside };
}

function listClickQueues({ clickQueue, clickQueues }: QueueUrls): string[] {
  return Array.from({ length: clickQueues }, (_, queue) => clickQueueUrl(clickQueue, queue));
}

function toCount(name: string, text = ''): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new TypeError(`expected ${name} of the queue to be a number; got ${text || 'nothing'}`);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** The queues are read at most once in this interval for all viewers, even if SQS fails. */
const leaseMs = 3_000;

/** An environment caches the backlog for this long, so a burst of requests is one read. */
const memoryMs = 1_000;

const ttlSeconds = 24 * 60 * 60;

interface BacklogSources {
  table: TableAccess;
  sqs: SQSClient;
  queueUrls: QueueUrls;
  /** The wall clock in milliseconds. */
  now?: () => number;
}

interface Lease {
  /** Until then, only the lease's holder reads the queues. */
  leasedUntilMs: number;
}

/** A lease, with the full backlog once the queues have been read. */
type BacklogItem = Lease & (BacklogAnswer | { [name in keyof BacklogAnswer]?: undefined });

/**
 * Creates a function that returns the numbers of waiting and set-aside messages, from a recent read
 * of SQS. While SQS fails, it returns the last values, or undefined if the queues were never read.
 */
export function createBacklogReader(
  sources: BacklogSources,
): () => Promise<BacklogAnswer | undefined> {
  const { now = Date.now } = sources;
  let known: { backlog: ReturnType<typeof readShared>; untilMs: number } | undefined;
  return () => {
    if (!known || now() >= known.untilMs) {
      const backlog = readShared({ ...sources, now });
      known = { backlog, untilMs: now() + memoryMs };
      // Failures aren't cached.
      backlog.catch(() => {
        known = undefined;
      });
    }
    return known.backlog;
  };
}

async function readShared(sources: Required<BacklogSources>): Promise<BacklogAnswer | undefined> {
  const { client, tableName } = sources.table;
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: backlogKey }));
  const item = Item as BacklogItem | undefined;
  if (item && sources.now() < item.leasedUntilMs) return toBacklog(item);
  const lease = await takeLease(sources);
  const stored = lease.item && toBacklog(lease.item);
  return lease.isRefused ? stored : ((await refresh(sources, lease.item.leasedUntilMs)) ?? stored);
}

/** Takes the lease unless another environment holds it. Returns the item in either case. */
function takeLease({ table, now }: Required<BacklogSources>) {
  const nowMs = now();
  return updateItem<BacklogItem>(table, {
    Key: backlogKey,
    UpdateExpression: 'SET leasedUntilMs = :until, #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(leasedUntilMs) OR leasedUntilMs <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':until': nowMs + leaseMs,
      ':now': nowMs,
      ':ttl': Math.ceil(nowMs / 1_000) + ttlSeconds,
    },
  });
}

/** Reads the queues and shares the result. Undefined if SQS fails. */
async function refresh(
  sources: Required<BacklogSources>,
  leasedUntilMs: number,
): Promise<BacklogAnswer | undefined> {
  const readAt = new Date(sources.now()).toISOString();
  try {
    const backlog = { ...(await countBacklog(sources.sqs, sources.queueUrls)), readAt };
    await share(sources.table, backlog, leasedUntilMs);
    return backlog;
  } catch (error) {
    logger.warn('The queues could not be read; using the last known backlog.', { error });
    return undefined;
  }
}

async function share(
  table: TableAccess,
  { waiting, setAside, readAt }: BacklogAnswer,
  leasedUntilMs: number,
): Promise<void> {
  const update = {
    Key: backlogKey,
    UpdateExpression: 'SET waiting = :waiting, setAside = :setAside, readAt = :readAt',
    // Without this condition, a reader that lost its lease would overwrite newer values.
    ConditionExpression: 'leasedUntilMs = :lease',
    ExpressionAttributeValues: {
      ...{ ':waiting': waiting, ':setAside': setAside, ':readAt': readAt },
      ':lease': leasedUntilMs,
    },
  };
  try {
    const { isRefused } = await updateItem(table, update);
    if (isRefused) throw new Error('expected to hold the lease until now; another reader took it');
  } catch (error) {
    logger.warn('The backlog could not be stored for other viewers.', { error });
  }
}

function toBacklog({ waiting, setAside, readAt }: BacklogItem): BacklogAnswer | undefined {
  if (waiting === undefined) return undefined;
  return { waiting, setAside, readAt };
}
