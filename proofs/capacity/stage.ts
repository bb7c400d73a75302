import { readParams, readSettings, type Settings } from '../simulation/stage-settings.ts';

/** prod's settings in serverless.yml that affect its capacity. */
export interface StageSettings extends Settings {
  memoryMb: number;
  resolverMemoryMb: number;
  logLevel: string;
  /** The API's limit for resolve-link, in requests a second. */
  visitorsPerSecond: number;
  /** resolve-link's reserved concurrency. Undefined for the account's unreserved concurrency. */
  resolverConcurrency: number | undefined;
}

/** Changes of prod's settings. */
export interface Tuning {
  batchWindowSeconds?: number;
  maximumConcurrency?: number;
  clickQueues?: number;
  memoryMb?: number;
}

/** prod's settings, with changes. */
export function readStage({ batchWindowSeconds, ...changes }: Tuning = {}): StageSettings {
  const settings = readSettings().find(({ stage }) => stage === 'prod');
  if (!settings) throw new Error('expected serverless.yml to have the stage prod; it does not');
  const read = readParams('prod');
  const requests = read('requestsPerSecond') as { visitors: number };
  const reserved = read('reservedConcurrency') as { resolveLink?: number };
  return {
    ...settings,
    memoryMb: Number(read('aggregatorMemoryMb')),
    resolverMemoryMb: Number(read('resolverMemoryMb')),
    logLevel: String(read('logLevel')),
    visitorsPerSecond: requests.visitors,
    resolverConcurrency: reserved.resolveLink,
    ...changes,
    ...(batchWindowSeconds !== undefined && { batchWindowMs: batchWindowSeconds * 1_000 }),
  };
}
