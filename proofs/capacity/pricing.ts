import { dollarsPerMillion, type Part } from './costs.ts';
import type { Result } from './result.ts';
import { loadStageCosts, type StageCosts } from './stage-costs.ts';
import { findTraffic } from './traffic.ts';

/** Through the API, and of clicks that a producer puts on the bus itself. */
export interface Dollars {
  throughApi: Part[];
  onBus: Part[];
}

/** Prices results; it packages each stage once, to read what it costs besides. */
export function createPricing(): (result: Result) => Promise<Dollars | undefined> {
  const loaded = new Map<string, Promise<StageCosts>>();
  return async ({ stage, traffic, usage }) => {
    if (usage.clicks === 0) return undefined;
    const { links } = findTraffic(traffic).law;
    const loading = loaded.get(stage) ?? loadStageCosts(stage, { throughApi: true, links });
    loaded.set(stage, loading);
    const costs = await loading;
    const price = (throughApi: boolean) =>
      dollarsPerMillion(usage, { ...costs, links, throughApi });
    return { throughApi: price(true), onBus: price(false) };
  };
}

/** The sum of all parts, in dollars a million clicks; NaN if no click was counted. */
export function sumDollars(parts: readonly Part[] | undefined): number {
  if (!parts) return Number.NaN;
  return parts.reduce((sum, { dollarsPerMillion: dollars }) => sum + dollars, 0);
}
