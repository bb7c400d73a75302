import { IdempotencyValidationError } from '@aws-lambda-powertools/idempotency';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import pLimit from 'p-limit';
import { ConditionFailedError, ItemMissingError } from 'powertools-idempotency-transactional';
import {
  isSlotValue,
  type Slot,
  slotAttribute,
  toSlotValue,
} from 'powertools-idempotency-transactional/sheets';
import {
  type Click,
  countsAt,
  hashClick,
  identifyClick,
  identifyEvent,
  readClick,
} from '../../lib/clicks/click.ts';
import { describeFailure, type FailureReason, lastingReasons } from '../../lib/clicks/failure.ts';
import { clickSlot } from '../../lib/clicks/placed-id.ts';
import { type Message, readMessage } from '../../lib/clicks/records.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { clickKeyPrefix, clickMarkerKey, linkKey } from '../../lib/keys.ts';
import { getStoredLink } from '../../lib/links/storage/links.ts';

/** The outcome that a redrive of a dead letter would have now. */
export type Reason = FailureReason | 'id-counted' | 'countable';

/** Reasons that would make a redrive fail again. */
export const failingReasons: Reason[] = lastingReasons;

/** All reasons that a diagnosis can find. */
export const findableReasons: Reason[] = ['countable', 'id-counted', ...failingReasons];

interface Finding {
  reason: Reason;
  /** The expected and the actual value. */
  detail: string;
}

export interface Diagnosis extends Finding {
  clickId?: string;
  /** An envelope has a code only if all of its clicks have this one. */
  code?: string;
  /** An envelope's clicks. */
  clicks?: Diagnosis[];
}

const clicksAtOnce = 10;

/** Runs the aggregator's checks on a message, in the same order, without counting it. */
export async function diagnose(body: string, table: TableAccess): Promise<Diagnosis> {
  const opened = attempt((): Message => readMessage(body));
  if ('reason' in opened) return { ...identifyClick(body), ...opened };
  const clicks = await pLimit(clicksAtOnce).map(opened.events, async (event) => ({
    ...identifyEvent(event),
    ...(await findReason(event, table)),
  }));
  const [first] = clicks;
  return opened.envelope || !first ? summarize(clicks) : first;
}

/** Clicks that a redrive would count come first, because purging the envelope would lose them. */
function summarize(clicks: Diagnosis[]): Diagnosis {
  const reasons = clicks.map(({ reason }) => reason);
  const order: Reason[] = ['countable', ...failingReasons, 'id-counted'];
  const [code, ...others] = new Set(clicks.map((click) => click.code));
  return {
    ...(others.length === 0 && code !== undefined && { code }),
    reason: order.find((reason) => reasons.includes(reason)) ?? 'countable',
    detail: `an envelope of ${clicks.length}: ${describeReasons(reasons, order)}`,
    clicks,
  };
}

/** For example `3 countable, 1 unknown-link`; empty if there are none. */
export function describeReasons(found: Reason[], order = findableReasons): string {
  const counts = Map.groupBy(found, (reason) => reason);
  return order
    .filter((reason) => counts.has(reason))
    .map((reason) => `${counts.get(reason)?.length} ${reason}`)
    .join(', ');
}

async function findReason(event: unknown, table: TableAccess): Promise<Finding> {
  const click = attempt((): Click => readClick(event));
  if ('reason' in click) return click;
  const [finding, link] = await Promise.all([
    checkMarker(click, table),
    getStoredLink(table, click.code),
  ]);
  if (finding) return finding;
  const key = linkKey(click.code);
  if (!link) {
    const message = `expected the item ${JSON.stringify(key)} to exist; it doesn't`;
    return explain(new ItemMissingError(message, { key }));
  }
  if (!countsAt(click.at, link)) {
    const { tableName } = table;
    return explain(new ConditionFailedError('deleted', { tableName, key, item: { ...link } }));
  }
  return { reason: 'countable', detail: 'a redrive would count it' };
}

function attempt<T>(read: () => T): T | Finding {
  try {
    return read();
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): Finding {
  const { reason, message } = describeFailure(error);
  return { reason, detail: message };
}

/** Compares a click with the marker of its id. Returns undefined if the click would count. */
async function checkMarker(click: Click, table: TableAccess): Promise<Finding | undefined> {
  const idempotencyKey = `${clickKeyPrefix}#${click.id}`;
  const slot = clickSlot(idempotencyKey);
  return slot
    ? checkSlot(click, slot, table)
    : checkOwnItem(click, clickMarkerKey(idempotencyKey), table);
}

// A slot blocks its click as long as the sheet exists, even if the sheet's ttl has passed. It has
// only part of a hash of the code and the day, which different clicks can share.
async function checkSlot(
  click: Click,
  { sheetKey, index }: Slot,
  table: TableAccess,
): Promise<Finding | undefined> {
  const value: unknown = (await getItem(table, sheetKey))?.[slotAttribute(index)];
  if (value === undefined) return undefined;
  const isSame = value instanceof Uint8Array && isSlotValue(value, toSlotValue(hashClick(click)));
  const counted =
    "this id was already counted, for a link and day with this click's hash; a redrive would not count it again";
  return isSame ? { reason: 'id-counted', detail: counted } : changedClick();
}

// An expired marker that TTL hasn't deleted yet doesn't block its click. Another sender that knew the
// id may have sent the counted click.
async function checkOwnItem(
  click: Click,
  key: Record<string, string>,
  table: TableAccess,
): Promise<Finding | undefined> {
  const marker = await getItem(table, key);
  if (!marker || marker.ttl < Math.floor(Date.now() / 1000)) return undefined;
  const isSame = marker.code === click.code && marker.day === click.day;
  const counted =
    'a click with this id, link and day was already counted; a redrive would not count it again';
  return isSame ? { reason: 'id-counted', detail: counted } : changedClick();
}

function changedClick(): Finding {
  return explain(new IdempotencyValidationError());
}

async function getItem({ client, tableName }: TableAccess, Key: Record<string, string>) {
  const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
  return (await client.send(command)).Item;
}
