import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { slotAttribute, toSlotValue } from 'powertools-idempotency-transactional/sheets';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import { campaignAttribute } from '../../lib/clicks/campaign-counters.ts';
import { type Click, hashClick } from '../../lib/clicks/click.ts';
import { toBytes } from '../../lib/clicks/visitor-sketch.ts';
import { overheadBytes, storedBytes } from './stored-bytes.ts';

export type Item = Record<string, NativeAttributeValue>;

/** A link's item with its total. */
export function link(code: string, clicks = 0) {
  const createdAt = '2026-01-01T00:00:00.000Z';
  return { PK: `LINK#${code}`, SK: 'META', url: 'https://example.com/', createdAt, clicks };
}

/** A link's day. */
export function dayOf(code: string, day: string, count: number) {
  return { PK: `LINK#${code}`, SK: `STAT#${day}`, count };
}

/** A link's day whose clicks all came from desktop visitors at 10:00. */
export function brokenDownDay(code: string, day: string, count: number, changes: Item = {}) {
  return { ...dayOf(code, day, count), vh: count, dd: count, rd: count, h10: count, ...changes };
}

/** A link's day with the visitors of these numbers. */
export function sketchItem(code: string, day: string, visitors: readonly number[]) {
  const marks = new Set(visitors.map((visitor) => visitor * 32 + 1));
  return { PK: `LINK#${code}`, SK: `VISITORS#${day}`, sketch: toBytes(marks) };
}

/**
 * The items of a day's campaigns: the clicks with each value, by parameter. The values are numbered in
 * this order, and `other` counts those without a number.
 */
export function campaignItems(
  code: string,
  day: string,
  campaigns: Record<string, Record<string, number>>,
): Item[] {
  const counters: Item = { PK: `LINK#${code}`, SK: `UTM#${day}` };
  const values = Object.entries(campaigns).map(([parameter, { other, ...counts }]) => {
    // The letters are s, m and c.
    const letter = parameter.slice('utm_'.length, 'utm_'.length + 1);
    if (other !== undefined) counters[`${letter}o`] = other;
    const item: Item = { PK: `LINK#${code}`, SK: `UTM#${day}#${parameter}` };
    for (const [number, [value, count]] of Object.entries(counts).entries()) {
      counters[`${letter}${number}`] = count;
      item[`v${number}`] = value;
    }
    return item;
  });
  return [counters, ...values];
}

/**
 * Up to a billion clicks on one link in a day, its item stays within 1 KB. Prod could count 1.6 billion there:
 * 18,000 a second.
 *
 * @see docs/costs-and-speed.md#what-limits-a-stage
 */
const most = 999_999_999;
// DynamoDB stores two digits in a byte. These are the smallest numbers of 9 and of 7 digits.
const sixBytes = 100_000_001;
const fiveBytes = 1_000_001;
/** The largest of four bytes. */
const fourBytes = 999_999;

/**
 * The largest day of a billion clicks, and its size in DynamoDB's bytes. Each breakdown has all of its
 * values, and as many long numbers as sum to the day's count.
 */
export function largestDay(code = 'x'.repeat(64)) {
  const counts = breakdowns.flatMap(({ attributes }) => {
    const [first = '', ...others] = Object.values(attributes);
    const long = Math.floor((most - others.length * fiveBytes) / (sixBytes - fiveBytes));
    const numbers = others.map((_, index) => (index < long - 1 ? sixBytes : fiveBytes));
    const rest = numbers.reduce((left, number) => left - number, most);
    return [[first, rest], ...others.map((attribute, index) => [attribute, numbers[index]])];
  });
  const day = { ...dayOf(code, '2026-05-26', most), [campaignAttribute]: most };
  const item: Item = { ...day, ...Object.fromEntries(counts) };
  return { item, bytes: sizeOf(item) };
}

/** The size of an item for a write, in DynamoDB's bytes. */
export function sizeOf(item: Item): number {
  return storedBytes(marshall(item)) - overheadBytes;
}

/**
 * The items of a day's campaigns on which each parameter has all of its values, the longest ones, each with
 * almost a million clicks, all by people. An operator's busiest day has fewer.
 */
export function largestCampaigns(code = 'x'.repeat(64)): Item[] {
  const counts = Object.fromEntries(
    Array.from({ length: 20 }, (_, number) => [`${number}`.padEnd(40, 'x'), fourBytes]),
  );
  const ofParameter = { ...counts, other: fourBytes };
  const [counters = {}, ...values] = campaignItems(code, '2026-05-26', {
    utm_source: ofParameter,
    utm_medium: ofParameter,
    utm_campaign: ofParameter,
  });
  const ofPeople = Object.entries(counters)
    .filter(([, count]) => count === fourBytes)
    .map(([attribute, count]) => [
      `${attribute.charAt(0).toUpperCase()}${attribute.slice(1)}`,
      count,
    ]);
  const ofNone = { sn: fourBytes, mn: fourBytes, cn: fourBytes };
  const people = Object.fromEntries(ofPeople);
  return [{ ...counters, ...people, ...ofNone, ap: sixBytes }, ...values];
}

/** A link's first `count` days since 1970, with this number of clicks each. */
export function manyDays(code: string, count: number, clicks: number) {
  return Array.from({ length: count }, (_, index) =>
    dayOf(code, isoDay(index * 86_400_000), clicks),
  );
}

/** A click's marker. `ttl` is in epoch seconds, by default far in the future. */
export function marker(id: string, code: string, day: string, ttl = 4_000_000_000) {
  return { PK: `CLICK#${id}`, SK: 'CLICK', code, day, ttl };
}

/** The beginning of a sheet's name, for tests that don't need its ids. */
export const producer = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

/** A sheet whose first slots hold these clicks. `ttl` as for {@link marker}. */
export function sheet(id: string, clicks: Pick<Click, 'code' | 'day'>[], ttl = 4_000_000_000) {
  const slots = clicks.map((click, slot) => [slotAttribute(slot), toSlotValue(hashClick(click))]);
  return { PK: `CLICKS#${id}`, SK: 'CLICK', ttl, ...Object.fromEntries(slots) };
}

/** The UTC day of an instant, yyyy-mm-dd; today by default. */
export function isoDay(ms = Date.now()): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
