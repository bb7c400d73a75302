import { readParams, readSettings, type Settings } from '../simulation/stage-settings.ts';

/** A stage's settings in serverless.yml that affect its capacity. */
export interface StageSettings extends Settings {
  memoryMb: number;
  resolverMemoryMb: number;
  logLevel: string;
  /** The API's limit for resolve-link, in requests a second. */
  visitorsPerSecond: number;
  /** resolve-link's reserved concurrency. Undefined for the account's unreserved concurrency. */
  resolverConcurrency: number | undefined;
}

/** @throws Error for a stage that serverless.yml does not have. */
export function readStage(name: string): StageSettings {
  const settings = readSettings().find(({ stage }) => stage === name);
  if (!settings) throw new Error(`expected a stage of serverless.yml; got ${name}`);
  const read = readParams(settings.stage);
  const requests = read('requestsPerSecond') as { visitors: number };
  const reserved = read('reservedConcurrency') as { resolveLink?: number };
  return {
    ...settings,
    memoryMb: Number(read('aggregatorMemoryMb')),
    resolverMemoryMb: Number(read('resolverMemoryMb')),
    logLevel: String(read('logLevel')),
    visitorsPerSecond: requests.visitors,
    resolverConcurrency: reserved.resolveLink,
  };
}
