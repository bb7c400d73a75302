import { readSettings, type Settings } from '../simulation/stage-settings.ts';

/** Changes of prod's settings, named and measured like the params of serverless.yml. */
export interface Tuning {
  aggregatorMemoryMb?: number;
  batchSize?: number;
  batchWindowSeconds?: number;
  billing?: 'onDemand' | 'provisioned';
  clickQueues?: number;
  clicksVia?: 'bus' | 'queue';
  countVisitors?: boolean;
  maximumConcurrency?: number;
  pushBatchWindowSeconds?: number;
}

/** prod's settings, with changes. */
export function readStage(tuning: Tuning = {}): Settings {
  const settings = readSettings().find(({ stage }) => stage === 'prod');
  if (!settings) throw new Error('expected serverless.yml to have the stage prod; it does not');
  const { aggregatorMemoryMb, batchWindowSeconds, pushBatchWindowSeconds } = tuning;
  return {
    ...settings,
    memoryMb: aggregatorMemoryMb ?? settings.memoryMb,
    batchSize: tuning.batchSize ?? settings.batchSize,
    batchWindowMs: toMs(batchWindowSeconds) ?? settings.batchWindowMs,
    billing: tuning.billing ?? settings.billing,
    clickQueues: tuning.clickQueues ?? settings.clickQueues,
    clicksVia: tuning.clicksVia ?? settings.clicksVia,
    countVisitors: tuning.countVisitors ?? settings.countVisitors,
    maximumConcurrency: tuning.maximumConcurrency ?? settings.maximumConcurrency,
    pushBatchWindowMs: toMs(pushBatchWindowSeconds) ?? settings.pushBatchWindowMs,
  };
}

const toMs = (seconds: number | undefined) => seconds && seconds * 1_000;
