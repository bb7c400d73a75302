import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Role } from './instance.ts';

const stages = ['dev', 'staging', 'prod'] as const;

/** What a stage says about its functions and queues. */
export type Settings = ReturnType<typeof readSettings>[number];

type Params = Record<string, Record<string, unknown>>;
type ReadParam = (param: string) => unknown;

interface ClickFile {
  params: Params;
  /** Functions in infra/ are text: the framework's variables. */
  functions: (string | { aggregateClicks: { environment: Record<string, string> } })[];
}

/** The settings of every stage, from the file that deploys them. */
export function readSettings() {
  const text = readFileSync(new URL('../../serverless.yml', import.meta.url), 'utf8');
  // Ignores warnings about CloudFormation's tags, such as !Ref.
  const { params, functions }: ClickFile = parse(text, { logLevel: 'silent' });
  const [inline] = functions.filter((some) => typeof some !== 'string');
  if (!inline) throw new Error('expected serverless.yml to have aggregateClicks; it does not');
  const { environment } = inline.aggregateClicks;
  return stages.map((stage) => {
    const read: ReadParam = (param) => {
      const value = params[stage]?.[param] ?? params.default?.[param];
      if (value === undefined) throw new Error(`expected the param ${param} of ${stage}; got none`);
      return value;
    };
    return {
      ...readStage(read),
      stage,
      /** The aggregator's variables, without names of resources. */
      environment: readAggregatorVariables(environment, read),
    };
  });
}

function readStage(read: ReadParam) {
  const readNumber = (param: string) => Number(read(param));
  const readMs = (param: string) => readNumber(param) * 1_000;
  const requests = read('requestsPerSecond') as { visitors: number };
  return {
    batchSize: readNumber('batchSize'),
    batchWindowMs: readMs('batchWindowSeconds'),
    maximumConcurrency: readNumber('maximumConcurrency'),
    functionTimeoutMs: readMs('aggregatorTimeoutSeconds'),
    memoryMb: readNumber('aggregatorMemoryMb'),
    resolverMemoryMb: readNumber('resolverMemoryMb'),
    logLevel: String(read('logLevel')),
    /** The API's limit for resolve-link, in requests a second. */
    visitorsPerSecond: requests.visitors,
    /** The simulation uses one queue for all of them, because it delivers in any order anyway. */
    clickQueues: readNumber('clickQueues'),
    requestsPerUserPerMinute: readNumber('requestsPerUserPerMinute'),
    /** Where resolve-link sends clicks first: `bus` or `queue`. */
    clicksVia: String(read('clicksVia')),
    /** Whether resolve-link marks visitors. */
    countVisitors: read('countVisitors') === true,
    /** How long resolve-link may use a link that it can't read any more. */
    staleLinkSeconds: readNumber('staleLinkSeconds'),
    /** How the table is paid: `onDemand` or `provisioned`, then with at least these units a second. */
    billing: String(read('billing')),
    provisionedUnits: read('provisionedUnits') as { reads: number; writes: number },
    logRetentionDays: readNumber('logRetentionDays'),
    pushBatchWindowMs: readMs('pushBatchWindowSeconds'),
    visibilityTimeoutMs: readMs('visibilityTimeoutSeconds'),
    maxReceiveCount: readNumber('maxReceiveCount'),
    busRetryMs: readMs('busRetrySeconds'),
    /** How long the standby's bus tries before. The stages don't have a standby by themselves. */
    forwardRetryMs: 0,
    queueRetentionMs: readMs('queueRetentionSeconds'),
    deadLetterRetentionMs: readMs('deadLetterRetentionSeconds'),
  };
}

/** The bus's retries are computed from a param, because a standby makes them longer. */
function readAggregatorVariables(variables: Record<string, string>, read: ReadParam) {
  const ofParams = readVariables(variables, read);
  ofParams.BUS_RETRY_SECONDS = String(read('busRetrySeconds'));
  return ofParams;
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

/** How long a deleted link can be restored, as docs/guarantee.md says. */
export const keptMs = 90 * 86_400_000;
/** The timeout of purge-links in infra/link-functions.yml. */
export const purgeTimeoutMs = 900_000;

/** The timeout of replicate-links in infra/standby/functions.yml. */
export const replicatorTimeoutMs = 30_000;
export const standbyRegion = 'us-west-2';

const standbyTable = 'StandbyTable';
const replicatorEnvironment = { STANDBY_REGION: standbyRegion, STANDBY_TABLE_NAME: standbyTable };

/** The variables of the standby's resolver that differ (standby.yml). */
export const standbyEnvironment = {
  AWS_REGION: standbyRegion,
  TABLE_NAME: standbyTable,
  BUS_NAME: 'StandbyBus',
  CLICK_QUEUE_URL: `https://sqs.${standbyRegion}.amazonaws.com/123456789012/StandbyDLQ`,
  CLICKS_VIA: 'bus',
  COUNT_VISITORS: 'false',
};

/** Tells the network which queue a message is for. */
export const deadLetterQueueUrl = 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickDLQ';

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
    BUS_NAME: 'ClickBus',
    OWN_DOMAINS: '',
    STALE_LINK_SECONDS: String(settings.staleLinkSeconds),
    CLICK_QUEUES: String(settings.clickQueues),
    CLICKS_VIA: settings.clicksVia,
    HOSTING_IS_BOT: 'false',
    COUNT_VISITORS: 'true',
    CLICK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickQueue',
    API_HOST: 'api.execute-api.us-east-1.amazonaws.com',
    DOMAIN_NAME: 'go.example.com',
    EDGE_HOST: '',
    POWERTOOLS_SERVICE_NAME: 'click-tally',
    POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    POWERTOOLS_LOG_LEVEL: 'WARN',
    PUBLIC_ORIGIN: 'https://go.example.com',
    BLOCKED_DOMAINS: '',
    LINKS_PER_DAY: '1000',
    REQUESTS_PER_USER_PER_MINUTE: '1200',
    ...(role === 'aggregator' && settings.environment),
    ...(role === 'replicator' && replicatorEnvironment),
    CLICK_DLQ_URL: deadLetterQueueUrl,
  };
}

/** A marker's required life: the retries of both buses, both queues' retentions, and the queue's again after a redrive. */
export function markerLifeMs(settings: Settings): number {
  const { busRetryMs, forwardRetryMs, queueRetentionMs, deadLetterRetentionMs } = settings;
  return forwardRetryMs + busRetryMs + queueRetentionMs + deadLetterRetentionMs + queueRetentionMs;
}
