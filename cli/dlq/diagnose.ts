import { IdempotencyValidationError } from '@aws-lambda-powertools/idempotency';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Click, identifyClick, parseClick } from '../../lib/clicks/click.ts';
import { describeFailure, type FailureReason } from '../../lib/clicks/failure.ts';
import { ItemMissingError } from '../../lib/idempotency/index.ts';
import { clickKeyPrefix, clickMarkerKey, linkKey } from '../../lib/keys.ts';
import type { ClickTable } from '../connection.ts';

/** What a redrive would do to a dead letter now. */
export type Reason = FailureReason | 'already-counted' | 'countable';

/** Reasons for which a redrive would fail again. */
export const failingReasons: Reason[] = ['invalid-click', 'unknown-link', 'changed-click'];

/** All reasons that a diagnosis can find. */
export const findableReasons: Reason[] = ['countable', 'already-counted', ...failingReasons];

interface Finding {
  reason: Reason;
  /** The expected and the actual value. */
  detail: string;
}

export interface Diagnosis extends Finding {
  clickId?: string;
  code?: string;
}

/** Runs the aggregator's checks on a message, in the same order, without counting it. */
export async function diagnose(body: string, table: ClickTable): Promise<Diagnosis> {
  return { ...identifyClick(body), ...(await findReason(body, table)) };
}

async function findReason(body: string, table: ClickTable): Promise<Finding> {
  const click = readClick(body);
  if ('reason' in click) return click;
  const [marker, link] = await Promise.all([
    getItem(table, clickMarkerKey(`${clickKeyPrefix}#${click.id}`)),
    getItem(table, linkKey(click.code)),
  ]);
  // A marker that has expired but that TTL has not deleted yet does not block its click.
  const isCounted = marker !== undefined && !(marker.ttl < Math.floor(Date.now() / 1000));
  if (isCounted && marker.code === click.code && marker.day === click.day) {
    return { reason: 'already-counted', detail: 'its marker exists; a redrive would add nothing' };
  }
  if (isCounted) return explain(new IdempotencyValidationError());
  if (!link) return explain(new ItemMissingError(linkKey(click.code)));
  return { reason: 'countable', detail: 'a redrive would count it' };
}

function readClick(body: string): Click | Finding {
  try {
    return parseClick(body);
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): Finding {
  const { reason, message } = describeFailure(error);
  return { reason, detail: message };
}

async function getItem({ dynamodb, name }: ClickTable, Key: Record<string, string>) {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: name, Key, ConsistentRead: true }),
  );
  return Item;
}
