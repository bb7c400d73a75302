import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';
import type { Role } from './instance.ts';

const file = new URL('../../serverless.yml', import.meta.url);
/** The framework gives this file's events to the aggregator. */
const { describeEvent } = createRequire(import.meta.url)('../../infra/click-queues.cjs');
const stages = ['dev', 'staging', 'prod'] as const;
export type Stage = (typeof stages)[number];

/** What a stage of serverless.yml says about the aggregator and its queues. */
export interface Settings {
  stage: Stage;
  batchSize: number;
  batchWindowMs: number;
  maximumConcurrency: number;
  reportsBatchItemFailures: boolean;
  functionTimeoutMs: number;
  visibilityTimeoutMs: number;
  maxReceiveCount: number;
  /** One queue stands for all of them here: it delivers in no order anyway. */
  clickQueues: number;
  busRetryMs: number;
  queueRetentionMs: number;
  deadLetterRetentionMs: number;
  /** How long changes are gathered before they are pushed. */
  pushWindowMs: number;
  /** The variables that the aggregator gets, but for the names of resources. */
  environment: Record<string, string>;
}

interface Service {
  params: Record<string, Record<string, unknown>>;
  /** Those of files in infra/ are the framework's variables, as text. */
  functions: (string | { aggregateClicks: Aggregator })[];
}

interface Aggregator {
  environment: Record<string, string>;
}

/** The settings of every stage, from the file that deploys them. */
export function readSettings(): Settings[] {
  const service = readService();
  return stages.map((stage) => readStage(service, stage));
}

/** Reads a stage's params by name: its own, or the default. */
export function readParams(stage: Stage): (param: string) => unknown {
  return paramsOf(readService(), stage);
}

function readService(): Service {
  // CloudFormation's own tags (!Ref and such) are of no interest here.
  return parse(readFileSync(file, 'utf8'), { logLevel: 'silent' });
}

function paramsOf({ params }: Service, stage: Stage): (param: string) => unknown {
  return (param) => {
    const value = params[stage]?.[param] ?? params.default?.[param];
    if (value === undefined) throw new Error(`expected the param ${param} of ${stage}; got none`);
    return value;
  };
}

function readStage(service: Service, stage: Stage): Settings {
  const { functions } = service;
  const [inline] = functions.filter((some) => typeof some !== 'string');
  if (!inline) throw new Error('expected serverless.yml to have aggregateClicks; it does not');
  const { environment } = inline.aggregateClicks;
  const mapping: Record<string, string> = describeEvent({ id: 'ClickQueue' }).sqs;
  const read = paramsOf(service, stage);
  const readMs = (param: string) => Number(read(param)) * 1_000;
  return {
    stage,
    batchSize: Number(read('batchSize')),
    batchWindowMs: readMs('batchWindowSeconds'),
    maximumConcurrency: Number(read('maximumConcurrency')),
    reportsBatchItemFailures: mapping.functionResponseType === 'ReportBatchItemFailures',
    functionTimeoutMs: readMs('aggregatorTimeoutSeconds'),
    visibilityTimeoutMs: readMs('visibilityTimeoutSeconds'),
    maxReceiveCount: Number(read('maxReceiveCount')),
    clickQueues: Number(read('clickQueues')),
    busRetryMs: readMs('busRetrySeconds'),
    queueRetentionMs: readMs('queueRetentionSeconds'),
    deadLetterRetentionMs: readMs('deadLetterRetentionSeconds'),
    pushWindowMs: readMs('pushBatchWindowSeconds'),
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, text]) => [name, String(read(paramOf(text)))]),
    ),
  };
}

function paramOf(text: string): string {
  const [, param] = /^\$\{param:(\w+)\}$/.exec(text) ?? [];
  if (!param) throw new Error(`expected a param; got ${text}`);
  return param;
}

/** The timeout of the functions behind the API. */
export const apiTimeoutMs = 5_000;

/** The variables of a function: those of serverless.yml, and the names that AWS gives. */
export function environmentOf(role: Role, settings: Settings): Record<string, string> {
  return {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'simulated',
    AWS_SECRET_ACCESS_KEY: 'simulated',
    AWS_LAMBDA_FUNCTION_NAME: role,
    STAGE: settings.stage,
    TABLE_NAME: 'ClickTable',
    LINKS_PER_DAY: '1000',
    CONNECTIONS_PER_USER: '10',
    REQUESTS_PER_USER_PER_MINUTE: '1200',
    BUS_NAME: 'ClickBus',
    OWN_DOMAINS: '',
    CLICK_QUEUES: String(settings.clickQueues),
    CLICK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickQueue',
    API_HOST: 'api.execute-api.us-east-1.amazonaws.com',
    DOMAIN_NAME: 'go.example.com',
    EDGE_HOST: '',
    PUBLIC_ORIGIN: 'https://go.example.com',
    BLOCKED_DOMAINS: '',
    LIVE_ENDPOINT: 'https://live.execute-api.us-east-1.amazonaws.com/stage',
    POWERTOOLS_SERVICE_NAME: 'click-tally',
    POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    POWERTOOLS_LOG_LEVEL: 'WARN',
    ...(role === 'aggregator' && settings.environment),
  };
}

/**
 * How long a marker must live: the bus retries, the queue and the dead-letter queue keep a message,
 * and a redrive starts the queue's retention anew.
 */
export function markerLifeMs(settings: Settings): number {
  const { busRetryMs, queueRetentionMs, deadLetterRetentionMs } = settings;
  return busRetryMs + queueRetentionMs + deadLetterRetentionMs + queueRetentionMs;
}
