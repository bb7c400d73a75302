import { dollarsPerMillion, type Part } from './costs.ts';
import type { Result } from './result.ts';
import { loadStageCosts, type StageCosts } from './stage-costs.ts';
import { findTraffic } from './traffic.ts';

/** Prices results; it packages each stage once, to read what it costs besides. */
export function createPricing(): (result: Result) => Promise<Part[] | undefined> {
  const loaded = new Map<string, Promise<StageCosts>>();
  return async ({ stage, traffic, usage }) => {
    if (usage.clicks === 0) return undefined;
    const { links } = findTraffic(traffic).law;
    const loading = loaded.get(stage) ?? loadStageCosts(stage, links);
    loaded.set(stage, loading);
    return dollarsPerMillion(usage, { ...(await loading), links });
  };
}

/** The sum of all parts, in dollars a million clicks; NaN if no click was counted. */
export function sumDollars(parts: readonly Part[] | undefined): number {
  if (!parts) return Number.NaN;
  return parts.reduce((sum, { dollarsPerMillion: dollars }) => sum + dollars, 0);
}
