import { randomUUID } from 'node:crypto';
import type { ClickDetail } from '../../lib/clicks/click-event.ts';

type Weights = Readonly<Record<string, number>>;

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const clicksOnUsualDay = 130;
const growthADay = 0.015;

/** Starting with Sunday. */
const weekdays = [0.55, 1, 1.12, 1.06, 1, 0.9, 0.6];
/** A newsletter's effect, by days ago. */
const newsletter: Readonly<Record<number, number>> = { 11: 2.5, 10: 1.7, 9: 1.2 };
/** By hour, UTC. */
const hours: Weights = Object.fromEntries(
  [1, 1, 1, 1, 1, 2, 4, 7, 9, 10, 10, 9, 10, 11, 10, 9, 9, 8, 8, 8, 7, 5, 3, 2].entries(),
);
const referrers: Weights = {
  direct: 29,
  google: 21,
  instagram: 14,
  linkedin: 10,
  whatsapp: 8,
  reddit: 6,
  bing: 4,
  duckduckgo: 3,
  other: 5,
};
const countries: Weights = {
  ...{ US: 31, DE: 17, GB: 12, FR: 8, IN: 7, CA: 5, BR: 4, JP: 3, ES: 3, IT: 2, other: 6 },
  unknown: 2,
};
const devices: Weights = { mobile: 52, desktop: 40, tablet: 5, other: 3 };
const visitors: Weights = { human: 91, bot: 9 };

/** Generates the clicks of the last `days` days. Only their ids differ each time. */
export function inventPastClicks(code: string, days: number, nowMs: number): ClickDetail[] {
  const midnightMs = nowMs - (nowMs % dayMs);
  const daysAgo = Array.from({ length: days }, (_, index) => days - 1 - index);
  const instants = daysAgo.flatMap((ago) => inventDay(midnightMs - ago * dayMs, ago, nowMs));
  return instants.map((atMs, index) => ({
    clickId: randomUUID(),
    code,
    at: new Date(atMs).toISOString(),
    // Multiples of different irrational numbers, so that the breakdowns aren't correlated.
    referrer: choose(referrers, index * Math.SQRT2),
    country: choose(countries, index * Math.SQRT1_2 * Math.PI),
    device: choose(devices, index * Math.LN2),
    visitor: choose(visitors, index * Math.E),
  }));
}

/** The instants of a day's clicks, up to now. */
function inventDay(midnightMs: number, daysAgo: number, nowMs: number): number[] {
  const weekday = weekdays[new Date(midnightMs).getUTCDay()] ?? 1;
  const growth = 1 - daysAgo * growthADay;
  const chance = 0.88 + 0.24 * fractionOf(daysAgo * Math.SQRT2);
  const count = clicksOnUsualDay * weekday * growth * chance * (newsletter[daysAgo] ?? 1);
  return Array.from({ length: Math.round(count) }, (_, index) => {
    const hour = Number(choose(hours, index * Math.SQRT2));
    return midnightMs + (hour + fractionOf(index * Math.PI)) * hourMs;
  }).filter((atMs) => atMs <= nowMs);
}

/** Chooses a key by a number's fractional part, so keys occur in proportion to their weights. */
function choose(weights: Weights, number: number): string {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  let left = fractionOf(number) * total;
  for (const [key, weight] of Object.entries(weights)) {
    left -= weight;
    if (left < 0) return key;
  }
  return '';
}

function fractionOf(number: number): number {
  return number % 1;
}
