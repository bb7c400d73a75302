import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';
import type { Role } from './instance.ts';

/** The framework gives this file's events to the aggregator. */
const { describeEvent } = createRequire(import.meta.url)('../../infra/click-queues.cjs');
const stages = ['dev', 'staging', 'prod'] as const;
export type Stage = (typeof stages)[number];

/** What a stage says about the function behind the queue, and about its queues. */
export interface Settings {
  stage: Stage;
  batchSize: number;
  batchWindowMs: number;
  maximumConcurrency: number;
  reportsBatchItemFailures: boolean;
  functionTimeoutMs: number;
  visibilityTimeoutMs: number;
  maxReceiveCount: number;
  /** The simulation uses one queue for all of them, because it delivers in any order anyway. */
  clickQueues: number;
  /** Where resolve-link sends clicks first. */
  clicksVia: 'bus' | 'queue';
  busRetryMs: number;
  queueRetentionMs: number;
  deadLetterRetentionMs: number;
  /** The function's variables, without names of resources. */
  environment: Record<string, string>;
}

type Params = Record<string, Record<string, unknown>>;
type ReadParam = (param: string) => unknown;

interface ClickFile {
  params: Params;
  /** Functions in infra/ are text: the framework's variables. */
  functions: (string | { aggregateClicks: { environment: Record<string, string> } })[];
}

/** The settings of every stage, from the file that deploys them. */
export function readSettings(): Settings[] {
  const { params, functions }: ClickFile = readYaml('../../serverless.yml');
  const [inline] = functions.filter((some) => typeof some !== 'string');
  if (!inline) throw new Error('expected serverless.yml to have aggregateClicks; it does not');
  const { environment } = inline.aggregateClicks;
  return stages.map((stage) => {
    const read = readerOf(params, stage);
    return {
      ...readQueue(read, describeEvent({ id: 'ClickQueue' }).sqs, 'aggregatorTimeoutSeconds'),
      stage,
      clickQueues: Number(read('clickQueues')),
      clicksVia: read('clicksVia') === 'queue' ? 'queue' : 'bus',
      busRetryMs: Number(read('busRetrySeconds')) * 1_000,
      environment: readVariables(environment, read),
    };
  });
}

/** Reads a stage's params by name: its own, or the default. */
export function readParams(stage: Stage): ReadParam {
  return readerOf(readYaml<ClickFile>('../../serverless.yml').params, stage);
}

function readYaml<T>(file: string): T {
  // Ignores warnings about CloudFormation's tags, such as !Ref.
  return parse(readFileSync(new URL(file, import.meta.url), 'utf8'), { logLevel: 'silent' });
}

function readerOf(params: Params, stage: Stage): ReadParam {
  return (param) => {
    const value = params[stage]?.[param] ?? params.default?.[param];
    if (value === undefined) throw new Error(`expected the param ${param} of ${stage}; got none`);
    return value;
  };
}

function readQueue(read: ReadParam, mapping: Record<string, string>, timeout: string) {
  const readMs = (param: string) => Number(read(param)) * 1_000;
  return {
    batchSize: Number(read('batchSize')),
    batchWindowMs: readMs('batchWindowSeconds'),
    maximumConcurrency: Number(read('maximumConcurrency')),
    reportsBatchItemFailures: mapping.functionResponseType === 'ReportBatchItemFailures',
    functionTimeoutMs: readMs(timeout),
    visibilityTimeoutMs: readMs('visibilityTimeoutSeconds'),
    maxReceiveCount: Number(read('maxReceiveCount')),
    queueRetentionMs: readMs('queueRetentionSeconds'),
    deadLetterRetentionMs: readMs('deadLetterRetentionSeconds'),
  };
}

/** The variables whose value is a param. */
function readVariables(variables: Record<string, string>, read: ReadParam): Record<string, string> {
  const values = Object.entries(variables).flatMap(([name, text]) => {
    const [, param] = /^\$\{param:(\w+)\}$/.exec(text) ?? [];
    return param ? [[name, String(read(param))]] : [];
  });
  return Object.fromEntries(values);
}

/** The timeout of the functions behind the API. */
export const apiTimeoutMs = 5_000;

const credentials = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'simulated',
  AWS_SECRET_ACCESS_KEY: 'simulated',
};

/** A function's variables: those of serverless.yml, and AWS's names of resources. */
export function environmentOf(role: Role, settings: Settings): Record<string, string> {
  return {
    ...credentials,
    AWS_LAMBDA_FUNCTION_NAME: role,
    STAGE: settings.stage,
    TABLE_NAME: 'ClickTable',
    LINKS_PER_DAY: '1000',
    REQUESTS_PER_USER_PER_MINUTE: '1200',
    BUS_NAME: 'ClickBus',
    OWN_DOMAINS: '',
    CLICK_QUEUES: String(settings.clickQueues),
    CLICKS_VIA: settings.clicksVia,
    CLICK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickQueue',
    API_HOST: 'api.execute-api.us-east-1.amazonaws.com',
    DOMAIN_NAME: 'go.example.com',
    EDGE_HOST: '',
    PUBLIC_ORIGIN: 'https://go.example.com',
    BLOCKED_DOMAINS: '',
    POWERTOOLS_SERVICE_NAME: 'click-tally',
    POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    POWERTOOLS_LOG_LEVEL: 'WARN',
    ...(role === 'aggregator' && settings.environment),
  };
}

/** A marker's required life: the bus's retries, both queues' retentions, and the queue's again after a redrive. */
export function markerLifeMs(settings: Settings): number {
  const { busRetryMs, queueRetentionMs, deadLetterRetentionMs } = settings;
  return busRetryMs + queueRetentionMs + deadLetterRetentionMs + queueRetentionMs;
}
