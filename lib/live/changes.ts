import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { botAttribute, humanAttribute } from '../clicks/breakdowns.ts';
import { codeSchema } from '../code-schema.ts';
import { dayKey, linkKey } from '../keys.ts';
import { daySchema } from '../links/api/link-request.ts';
import { type Day, summarizeDay, toDay, visitorsOf } from '../links/storage/days.ts';
import { logger, metrics } from '../telemetry/powertools.ts';
import { expected, parse, type Subject } from '../validation.ts';
import type { LinkCounts, Totals } from './messages.ts';

const { PK: linkPrefix, SK: linkSortKey } = linkKey('');
const { SK: dayPrefix } = dayKey('', '');
const expectedCount = 'a whole number of clicks';
const countSchema = z.int(expectedCount).check(z.nonnegative(expectedCount));
const expectedKey = `"${linkPrefix}" and a code`;
const keySchema = z.object({
  PK: z.string(expectedKey).check(z.startsWith(linkPrefix, expectedKey)),
  SK: z.string('a string'),
});
const totalSchema = z.object({
  clicks: z._default(countSchema, 0),
  [humanAttribute]: z.optional(countSchema),
  [botAttribute]: z.optional(countSchema),
});
const dayCountSchema = z.object({ count: countSchema });

/** A link's new numbers: its totals, or one of its days. */
export type Change = ({ code: string } & Totals) | { code: string; day: Day };

/** A record of the table's stream isn't valid. The message says why and is safe to log. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

const about = (name: string): Subject => ({
  name,
  reject: (_reason, loggable) => new RecordError(loggable),
});

/** Reads a record of the table's stream. Throws {@link RecordError}. */
export function readChange({ dynamodb: { NewImage } = {} }: DynamoDBRecord): Change {
  if (!NewImage) throw new RecordError(expected('dynamodb.NewImage', 'an item', NewImage));
  const item = unmarshall(NewImage as Record<string, AttributeValue>);
  const { PK, SK } = parse(keySchema, item, about('the item'));
  const code = parse(codeSchema, PK.slice(linkPrefix.length), about('the code'));
  if (SK === linkSortKey) {
    const link = parse(totalSchema, item, about('the link'));
    return { code, clicks: link.clicks, ...visitorsOf(link) };
  }
  parse(daySchema, SK.startsWith(dayPrefix) ? SK.slice(dayPrefix.length) : SK, about('SK'));
  parse(dayCountSchema, item, about('the day'));
  return { code, day: toDay(item) };
}

/** Logs and counts a record of the table's stream that couldn't be read. */
export function reportUnreadable({ eventID, dynamodb }: DynamoDBRecord, error: unknown): void {
  logger.error('record not read', {
    code: codeSchema.safeParse(dynamodb?.Keys?.PK?.S?.slice(linkPrefix.length)).data,
    eventId: eventID,
    sequenceNumber: dynamodb?.SequenceNumber,
    detail: (error as Error).message,
  });
  metrics.addMetric('PushFailures', MetricUnit.Count, 1);
}

/**
 * The newest numbers of each link. Numbers only rise, so the greatest is the newest, even if
 * changes arrive out of order or repeatedly.
 */
export function collectCounts(changes: readonly Change[]): Map<string, LinkCounts> {
  const byCode = Map.groupBy(changes, ({ code }) => code);
  return new Map([...byCode].map(([code, ofLink]) => [code, collectLink(code, ofLink)]));
}

function collectLink(code: string, changes: readonly Change[]): LinkCounts {
  const totals = changes.filter((change) => 'clicks' in change);
  const days = new Map<string, Day>();
  for (const change of changes) {
    if (!('day' in change)) continue;
    const { date, count } = change.day;
    if (count >= (days.get(date)?.count ?? 0)) days.set(date, change.day);
  }
  return {
    code,
    ...totals.toSorted((a, b) => a.clicks - b.clicks).at(-1),
    days: [...days.values()].map(summarizeDay),
  };
}
