import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const file = new URL('../../../infra/live-functions.yml', import.meta.url);

/** What the deployed mapping of the table's stream says; the window differs by stage. */
export interface StreamSettings {
  batchSize: number;
  functionTimeoutMs: number;
  reportsBatchItemFailures: boolean;
  bisects: boolean;
  maxRetries: number;
  maxAgeMs: number;
  /** The names of the events that pass the filter, and how the PK of their items begins. */
  eventNames: string[];
  keyPrefixes: string[];
}

interface LiveFunctions {
  pushCounts: { timeout: number; events: { stream: Stream }[] };
}

interface Stream {
  batchSize: number;
  functionResponseType?: string;
  bisectBatchOnFunctionError?: boolean;
  maximumRetryAttempts: number;
  maximumRecordAgeInSeconds: number;
  filterPatterns: {
    eventName: string[];
    dynamodb: { Keys: { PK: { S: { prefix: string }[] } } };
  }[];
}

/** The settings of push-counts and its mapping, from the file that deploys them. */
export function readStreamSettings(): StreamSettings {
  const { pushCounts }: LiveFunctions = parse(readFileSync(file, 'utf8'), { logLevel: 'silent' });
  const [event, ...others] = pushCounts.events;
  const [pattern, ...more] = event?.stream.filterPatterns ?? [];
  if (!event || !pattern || others.length + more.length > 0) {
    throw new Error(
      'expected push-counts to have one stream with one filter: teach it to the model',
    );
  }
  const { stream } = event;
  return {
    batchSize: stream.batchSize,
    functionTimeoutMs: pushCounts.timeout * 1_000,
    reportsBatchItemFailures: stream.functionResponseType === 'ReportBatchItemFailures',
    bisects: stream.bisectBatchOnFunctionError ?? false,
    maxRetries: stream.maximumRetryAttempts,
    maxAgeMs: stream.maximumRecordAgeInSeconds * 1_000,
    eventNames: pattern.eventName,
    keyPrefixes: pattern.dynamodb.Keys.PK.S.map(({ prefix }) => prefix),
  };
}
