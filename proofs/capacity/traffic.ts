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
  law: LinkLaw;
  clicksPerSecond: number;
  /** DynamoDB answers only errors. */
  outage?: { fromSeconds: number; untilSeconds: number };
  /** Whether the run continues until the queue is empty. */
  untilEmpty?: boolean;
  /** Whether the stage has had this traffic for long, so that a provisioned table has scaled out for it. */
  isUsual?: boolean;
  /** The end of the warm-up. */
  measureFromSeconds: number;
  untilSeconds: number;
}

const manyLinks: LinkLaw = { links: 100_000, hotShare: 0 };
const oneHotLink: LinkLaw = { links: 100_000, hotShare: 0.9 };

function steady(
  name: string,
  law: LinkLaw,
  clicksPerSecond: number,
  [measureFromSeconds, untilSeconds]: [number, number],
): Traffic {
  return { name, law, clicksPerSecond, measureFromSeconds, untilSeconds };
}

/** The traffics that limit a stage, each as short as stable figures permit. */
const busy = steady('busy', manyLinks, 1_000, [15, 75]);
const viral = steady('viral', oneHotLink, 20_000, [8, 33]);
const outage: Traffic = {
  ...steady('outage', { links: 1_000, hotShare: 0, isForeign: true }, 20, [15, 4_000]),
  outage: { fromSeconds: 60, untilSeconds: 3_660 },
  untilEmpty: true,
};
const rise: Traffic = { ...steady('rise', manyLinks, 100, [0, 1_200]), untilEmpty: true };

export const traffics = { busy, viral, outage, rise };

/**
 * A site whose clicks are spread evenly over the month, by default with a link per 1,000 clicks a month. A run
 * has many windows, so that the first and the last one hardly matter.
 */
export function makeSite(
  clicksPerMonth: number,
  windowSeconds = 1,
  links = Math.min(100_000, Math.ceil(clicksPerMonth / 1_000)),
): Traffic {
  const clicksPerSecond = clicksPerMonth / assumptions.secondsPerMonth;
  const warmSeconds = Math.max(60, 3 * windowSeconds);
  const seconds = Math.min(6 * 3_600, Math.max(60, 12 * windowSeconds, 2_000 / clicksPerSecond));
  const name = `${clicksPerMonth.toLocaleString('en-US')} clicks a month`;
  const law = { links, hotShare: 0 };
  const times = [warmSeconds, warmSeconds + seconds] as [number, number];
  return { ...steady(name, law, clicksPerSecond, times), isUsual: true };
}
