import { assumptions } from './assumptions.ts';

/** The distribution of clicks over links. */
export interface LinkLaw {
  /** Clicked by Zipf's law, s = 1. */
  links: number;
  /** The share of clicks on one additional link. */
  hotShare: number;
  /** Whether other producers send the clicks: to the first queue, with UUIDs. */
  isForeign?: boolean;
}

/** Clicks as a function of time. Times are virtual seconds since the start. */
export interface Traffic {
  name: string;
  title: string;
  law: LinkLaw;
  /** Clicks a second, except during a spike. */
  clicksPerSecond: number;
  spike?: { fromSeconds: number; untilSeconds: number; factor: number };
  /** DynamoDB answers only errors. */
  outage?: { fromSeconds: number; untilSeconds: number };
  /** The end of the warm-up. */
  measureFromSeconds: number;
  untilSeconds: number;
  /** Whether it continues without clicks until the queue is empty. */
  drains: boolean;
}

const manyLinks: LinkLaw = { links: 100_000, hotShare: 0 };
const oneHotLink: LinkLaw = { links: 100_000, hotShare: 0.9 };

function steady(
  name: string,
  title: string,
  law: LinkLaw,
  clicksPerSecond: number,
  [measureFromSeconds, untilSeconds]: [number, number],
): Traffic {
  return { name, title, law, clicksPerSecond, measureFromSeconds, untilSeconds, drains: false };
}

/** The table's traffics, each as short as stable figures permit. */
export const traffics: Traffic[] = [
  steady('quiet', '1 click a second', { links: 1_000, hotShare: 0 }, 1, [60, 1_860]),
  steady('busy', '1,000 clicks a second on 100,000 links', manyLinks, 1_000, [15, 75]),
  steady('viral', '20,000 a second, 90% on one link', oneHotLink, 20_000, [8, 33]),
  steady('peak', '75,000 a second on 100,000 links', manyLinks, 75_000, [12, 24]),
  steady('peak-viral', '75,000 a second, 90% on one link', oneHotLink, 75_000, [12, 24]),
  {
    ...steady('spike', 'ten times 100 a second for five minutes', manyLinks, 100, [15, 435]),
    spike: { fromSeconds: 75, untilSeconds: 375, factor: 10 },
    drains: true,
  },
  {
    ...steady(
      'outage',
      'an hour without DynamoDB at 20 clicks a second',
      { links: 1_000, hotShare: 0, isForeign: true },
      20,
      [15, 4_000],
    ),
    outage: { fromSeconds: 60, untilSeconds: 3_660 },
    drains: true,
  },
];

/** A site whose clicks are spread evenly over the month. */
export interface SiteTraffic extends Traffic {
  clicksPerMonth: number;
}

/** Sites by size, with a link per 1,000 clicks a month. */
export const sites = [1e5, 1e6, 1e7, 1e8, 1e9].map((clicksPerMonth): SiteTraffic => {
  const title = `${clicksPerMonth.toLocaleString('en-US')} clicks a month`;
  const law = { links: Math.min(100_000, clicksPerMonth / 1_000), hotShare: 0 };
  const clicksPerSecond = clicksPerMonth / assumptions.secondsPerMonth;
  const seconds = Math.min(6 * 3_600, Math.max(60, 2_000 / clicksPerSecond));
  return { ...steady(title, title, law, clicksPerSecond, [60, 60 + seconds]), clicksPerMonth };
});

/** The clicks a second at this time. */
export function rateAt({ clicksPerSecond, spike, untilSeconds }: Traffic, seconds: number): number {
  if (seconds >= untilSeconds) return 0;
  const isSpike = spike && seconds >= spike.fromSeconds && seconds < spike.untilSeconds;
  return clicksPerSecond * (isSpike ? spike.factor : 1);
}

/** The highest number of clicks a second. */
export function peakRate({ clicksPerSecond, spike }: Traffic): number {
  return clicksPerSecond * (spike?.factor ?? 1);
}

/** @throws {RangeError} for an unknown name. */
export function findTraffic(name: string): Traffic {
  const found = [...traffics, ...sites].find((traffic) => traffic.name === name);
  if (found) return found;
  const names = traffics.map((traffic) => traffic.name);
  throw new RangeError(`expected one of ${names.join(', ')}; got ${name}`);
}
