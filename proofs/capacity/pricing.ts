import { dollarsPerMillion, type Part } from './costs.ts';
import type { Result, Tuning } from './result.ts';
import { readStage } from './stage.ts';
import { loadStageCosts, type StageCosts } from './stage-costs.ts';
import { findTraffic } from './traffic.ts';

/** Prices results. Packages each stage once to read its other costs. */
export function createPricing(): (result: Result) => Promise<Part[] | undefined> {
  const loaded = new Map<string, Promise<StageCosts>>();
  return async ({ stage, traffic, tuning, usage }) => {
    if (usage.clicks === 0) return undefined;
    const { law } = findTraffic(traffic);
    const params = paramsOf(stage, tuning);
    const key = JSON.stringify([stage, params]);
    const loading = loaded.get(key) ?? loadStageCosts(stage, law, params);
    loaded.set(key, loading);
    return dollarsPerMillion(usage, { ...(await loading), law });
  };
}

/**
 * With fewer queues, a stage has fewer alarms. With more than its own, packaging would reject its
 * reserved concurrency.
 */
export function paramsOf(
  stage: string,
  { clickQueues, resolverMemoryMb }: Tuning = {},
): Record<string, number> {
  const isFewer = clickQueues !== undefined && clickQueues < readStage(stage).clickQueues;
  return { ...(isFewer && { clickQueues }), ...(resolverMemoryMb && { resolverMemoryMb }) };
}

/** The sum of all parts in dollars per million clicks, or NaN if no click was counted. */
export function sumDollars(parts: readonly Part[] | undefined): number {
  if (!parts) return Number.NaN;
  return parts.reduce((sum, { dollarsPerMillion: dollars }) => sum + dollars, 0);
}
