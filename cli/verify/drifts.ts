import type { CampaignSums } from '../../lib/clicks/campaign-counters.ts';
import type { UnevenTotal } from '../../lib/links/storage/days.ts';
import type { Sums } from '../../lib/overview/day-sums.ts';
import { count } from '../terminal/print.ts';
import type { HashRow } from './recount.ts';
import type { LinkDay, UnevenDay } from './scanned-counts.ts';
import type { WrongSum } from './stored-sums.ts';

/** A wrong count. */
export interface Drift {
  drift: number;
  /** The two counts that differ, for programs. */
  fields: { kind: string; [name: string]: unknown };
  /** The same, for people. */
  text: string;
}

export function totalDrift(code: string, { of, total, sum }: UnevenTotal): Drift {
  const name = of === 'clicks' ? 'total' : `number of ${of}`;
  const found = total === null ? 'the link does not exist' : `the ${name} is ${total}`;
  return {
    drift: (total ?? 0) - sum,
    fields: { kind: 'total', code, of, total, sumOfDays: sum },
    text: `${code}: ${found}, but its days sum to ${sum}`,
  };
}

export function breakdownDrift(uneven: UnevenDay): Drift {
  const { code, day, breakdown, count, sum } = uneven;
  return {
    drift: sum - count,
    fields: { kind: 'breakdown', ...uneven },
    text: `${code} ${day}: the day's count is ${count}, but its ${breakdown} values sum to ${sum}`,
  };
}

/** A UTM parameter whose counts don't sum to the day's clicks with a campaign, or lack a value. */
export function campaignDrift({ code, day }: LinkDay, sums: CampaignSums): Drift {
  const { parameter, clicks, sum, counted, stored } = sums;
  const isUnnamed = clicks === sum;
  const text = isUnnamed
    ? `${parameter} counts ${count(counted, 'value')}, but ${stored} are stored`
    : `${count(clicks, 'click')} have a campaign, but the ${parameter} values sum to ${sum}`;
  return {
    drift: isUnnamed ? counted - stored : sum - clicks,
    fields: { kind: 'campaign', code, day, ...sums },
    text: `${code} ${day}: ${text}`,
  };
}

/** A sketch with more visitors than the day has clicks by people. */
export function visitorsDrift({ code, day }: LinkDay, people: number, visitors: number): Drift {
  const found = `${count(people, 'click')} by people, but its visitors are at least ${visitors}`;
  return {
    drift: visitors - people,
    fields: { kind: 'visitors', code, day, people, visitors },
    text: `${code} ${day}: the day has ${found}`,
  };
}

/** A sketch that a newer version wrote, or that was changed. */
export function unreadableVisitors({ code, day }: LinkDay): Drift {
  return {
    drift: 0,
    fields: { kind: 'visitors', code, day, visitors: null },
    text: `${code} ${day}: its visitors aren't a sketch of a known form`,
  };
}

/** A sum that's stored for overviews, and isn't that of its days. */
export function sumsDrift(code: string, wrong: WrongSum): Drift {
  const { from, to, stored, days } = wrong;
  const range = from === to ? from : `until ${to}`;
  const describe = ({ clicks, people, bots }: Sums) =>
    `${count(clicks, 'click')}, ${people} by people and ${bots} by bots`;
  return {
    drift: stored.clicks - days.clicks,
    fields: { kind: 'sums', code, ...wrong },
    text: `${code} ${range}: the stored sums have ${describe(stored)}, but the days have ${describe(days)}`,
  };
}

/**
 * Slots without a day, a wrong day, or several days with the same hash, any of which may be wrong.
 * Takes the two counts that contradict each other, one from each scan.
 */
export function hashDrift(row: HashRow): Drift {
  const { hash, days, count1, markers1, count2, markers2 } = row;
  const [sum, markers] = count1 > markers2 ? [count1, markers2] : [count2, markers1];
  const drift = sum - markers;
  const names = days.map(({ code, day }) => `${code} ${day}`).join(', ');
  const found = `but the number of markers is ${markers}`;
  const [day] = days;
  if (!day) {
    const text = `hash ${hash}: found in ${count(markers, 'slot')}, but not in any link's day`;
    return { drift, fields: { kind: 'slots', hash, slots: markers }, text };
  }
  if (days.length > 1) {
    const text = `${names}: their counts sum to ${sum}, ${found}`;
    return { drift, fields: { kind: 'days', days, count: sum, markers }, text };
  }
  const text = `${names}: the day's count is ${sum}, ${found}`;
  return { drift, fields: { kind: 'day', ...day, count: sum, markers }, text };
}
