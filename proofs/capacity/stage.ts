import { readSettings, type Settings } from '../simulation/stage-settings.ts';

/** Changes of prod's settings. */
export interface Tuning {
  batchWindowSeconds?: number;
  clickQueues?: number;
  billing?: 'provisioned';
  clicksVia?: 'queue';
}

/** prod's settings, with changes. */
export function readStage({ batchWindowSeconds, ...changes }: Tuning = {}): Settings {
  const settings = readSettings().find(({ stage }) => stage === 'prod');
  if (!settings) throw new Error('expected serverless.yml to have the stage prod; it does not');
  const batchWindowMs = batchWindowSeconds && batchWindowSeconds * 1_000;
  return { ...settings, ...changes, ...(batchWindowMs !== undefined && { batchWindowMs }) };
}
