import { toSlotValue } from 'powertools-idempotency-transactional/sheets';
import { findUneven } from '../../lib/clicks/breakdowns.ts';
import { campaignParameters } from '../../lib/clicks/campaign.ts';
import {
  type CampaignSums,
  campaignAttribute,
  readValues,
  sumCounters,
} from '../../lib/clicks/campaign-counters.ts';
import { hashClick } from '../../lib/clicks/click.ts';
import { fromBytes, leastVisitors, SketchFormError } from '../../lib/clicks/visitor-sketch.ts';
import {
  campaignKey,
  campaignValuesKey,
  clickMarkerSortKey,
  clickSheetPrefix,
  dayKey,
  linkKey,
  sumsKey,
  visitorsKey,
} from '../../lib/keys.ts';
import { toDay, visitorsOf } from '../../lib/links/storage/days.ts';

/** One UTC day of one link. */
export interface LinkDay {
  code: string;
  day: string;
}

export interface HashedDay extends LinkDay {
  /** The value of this day's slots, in hexadecimal. */
  hash: string;
}

/** A breakdown whose values don't sum to the day's count. */
export interface UnevenDay extends LinkDay {
  breakdown: string;
  count: number;
  sum: number;
}

/** Some counts of a UTM parameter on a day, which the scan finds in several items. */
type CampaignCounts = LinkDay & Partial<CampaignSums> & Pick<CampaignSums, 'parameter'>;

type Visitors = ReturnType<typeof visitorsOf>;

/** The counts in some of the table's items. */
export interface ScannedCounts {
  totals: ({ code: string; clicks: number } & Visitors)[];
  days: (HashedDay & { count: number } & Visitors)[];
  uneven: UnevenDay[];
  campaigns: CampaignCounts[];
  /** The fewest visitors that each day's sketch can have. */
  sketches: (LinkDay & { least: number })[];
  /** The links whose sums are stored for overviews. */
  summed: { code: string }[];
  /** The markers that aren't slots. */
  markers: HashedDay[];
  /** The number of slots by hash. */
  slots: Map<string, number>;
}

export const dayPrefix = dayKey('', '').SK;
export const sheetPrefix = `${clickSheetPrefix}#`;
const visitorsPrefix = visitorsKey('', '').SK;
const { PK: linkPrefix, SK: totalSortKey } = linkKey('');
const { PK: sumsPrefix } = sumsKey('');
const markerSortKey = clickMarkerSortKey;

type Attributes = Record<string, unknown>;

export function toScannedCounts(items: Attributes[]): ScannedCounts {
  const scanned: ScannedCounts = {
    totals: [],
    days: [],
    uneven: [],
    campaigns: [],
    sketches: [],
    summed: [],
    markers: [],
    slots: new Map(),
  };
  for (const { PK, SK, ...attributes } of items) {
    const key = String(PK);
    const sortKey = String(SK);
    if (key.startsWith(sheetPrefix)) addSlots(scanned, attributes);
    else if (sortKey === markerSortKey) addMarker(scanned, attributes);
    else if (key.startsWith(sumsPrefix))
      scanned.summed.push({ code: key.slice(sumsPrefix.length) });
    else if (key.startsWith(linkPrefix)) {
      addCount(scanned, key.slice(linkPrefix.length), sortKey, attributes);
    }
  }
  return scanned;
}

// Values other than bytes are ignored, so they show up as drift.
function addSlots({ slots }: ScannedCounts, attributes: Attributes): void {
  for (const value of Object.values(attributes)) {
    if (!(value instanceof Uint8Array)) continue;
    const hash = toHex(value);
    slots.set(hash, (slots.get(hash) ?? 0) + 1);
  }
}

function addMarker({ markers }: ScannedCounts, { code, day }: Attributes): void {
  if (typeof code !== 'string' || typeof day !== 'string') return;
  markers.push(addHash({ code, day }));
}

function addCount(
  { totals, days, uneven, campaigns, sketches }: ScannedCounts,
  code: string,
  SK: string,
  { purgedAt, ...attributes }: Attributes,
): void {
  // A purged link doesn't have totals, and its days are about to be deleted.
  if (purgedAt !== undefined) return;
  // Values other than numbers count as 0, so they show up as drift.
  const { date: day, numbers } = toDay({ SK, ...attributes });
  const count = typeof attributes.count === 'number' ? attributes.count : 0;
  const visitors = visitorsOf(numbers);
  campaigns.push(...readCampaignCounts(SK, attributes).map((counts) => ({ code, ...counts })));
  if (SK === totalSortKey) totals.push({ code, clicks: numbers.clicks ?? 0, ...visitors });
  if (SK.startsWith(visitorsPrefix)) {
    const least = countStored(attributes.sketch);
    sketches.push({ code, day: SK.slice(visitorsPrefix.length), least });
  }
  if (!SK.startsWith(dayPrefix)) return;
  days.push({ ...addHash({ code, day }), count, ...visitors });
  for (const { name, sum } of findUneven(numbers, count)) {
    uneven.push({ code, day, breakdown: name, count, sum });
  }
}

/** The fewest visitors that a stored sketch can have. Infinite if it can't be read, to be confirmed. */
export function countStored(sketch: unknown): number {
  try {
    return leastVisitors(fromBytes(sketch instanceof Uint8Array ? sketch : Buffer.alloc(0)));
  } catch (error) {
    if (error instanceof SketchFormError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function readCampaignCounts(SK: string, attributes: Attributes) {
  const [, day = ''] = SK.split('#');
  const clicks = Number(attributes[campaignAttribute] ?? 0);
  return campaignParameters.flatMap((parameter): Omit<CampaignCounts, 'code'>[] => {
    if (SK === dayKey('', day).SK && clicks !== 0) return [{ day, parameter, clicks }];
    if (SK === campaignKey('', day).SK) {
      return [{ day, parameter, ...sumCounters(attributes, parameter) }];
    }
    const isValues = SK === campaignValuesKey('', day, parameter).SK;
    return isValues ? [{ day, parameter, stored: readValues(attributes).length }] : [];
  });
}

function addHash(linkDay: LinkDay): HashedDay {
  return { ...linkDay, hash: toHex(toSlotValue(hashClick(linkDay))) };
}

function toHex(slotValue: Uint8Array): string {
  return Buffer.from(slotValue).toString('hex');
}
