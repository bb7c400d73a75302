import { IdempotencyValidationError } from '@aws-lambda-powertools/idempotency';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Click, identifyClick, parseClick } from '../../lib/clicks/click.ts';
import { describeFailure, type FailureReason } from '../../lib/clicks/failure.ts';
import { ItemMissingError } from '../../lib/idempotency/index.ts';
import { clickKeyPrefix, clickMarkerKey, linkKey } from '../../lib/keys.ts';
import type { ClickTable } from '../connection.ts';

/** What would become of a dead letter now: why it would fail again, or that it would not. */
export type Reason = FailureReason | 'already-counted' | 'countable';

/** Reasons to fail again that can be found by looking. */
export const failingReasons: Reason[] = ['invalid-click', 'unknown-link', 'changed-click'];

/** All that can be found by looking. */
export const findableReasons: Reason[] = ['countable', 'already-counted', ...failingReasons];

export interface Verdict {
  reason: Reason;
  /** For people: what was expected and what came. */
  detail: string;
}

export interface Diagnosis extends Verdict {
  clickId?: string;
  code?: string;
}

/** Puts a message through the aggregator's checks, in their order, without counting it. */
export async function diagnose(body: string, table: ClickTable): Promise<Diagnosis> {
  return { ...identifyClick(body), ...(await judge(body, table)) };
}

async function judge(body: string, table: ClickTable): Promise<Verdict> {
  const click = readClick(body);
  if ('reason' in click) return click;
  const [marker, link] = await Promise.all([
    getItem(table, clickMarkerKey(`${clickKeyPrefix}#${click.id}`)),
    getItem(table, linkKey(click.code)),
  ]);
  // An expired marker that TTL has not deleted yet does not keep a click from being counted.
  const isCounted = marker !== undefined && !(marker.ttl < Math.floor(Date.now() / 1000));
  if (isCounted && marker.code === click.code && marker.day === click.day) {
    return { reason: 'already-counted', detail: 'its marker exists: it would add nothing' };
  }
  if (isCounted) return explain(new IdempotencyValidationError());
  if (!link) return explain(new ItemMissingError(linkKey(click.code)));
  return { reason: 'countable', detail: 'nothing is wrong with it now' };
}

function readClick(body: string): Click | Verdict {
  try {
    return parseClick(body);
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): Verdict {
  const { reason, message } = describeFailure(error);
  return { reason, detail: message };
}

async function getItem({ dynamodb, name }: ClickTable, Key: Record<string, string>) {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: name, Key, ConsistentRead: true }),
  );
  return Item;
}
