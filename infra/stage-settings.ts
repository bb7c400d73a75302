// What infra/settings-checks.cjs checks: `custom.checkedSettings` of serverless.yml, and what the command adds. A param of
// the command line is a text, and one of serverless.yml has the type of its default.

type Flag = boolean | string;
type Numeric = number | string;

/** The requests a second that a stage accepts from each group of callers. */
export type RequestLimits = Record<Callers, number>;
export type Callers = 'visitors' | 'previews' | 'owners' | 'programs' | 'page' | 'live';

interface Params {
  requestsPerSecond: RequestLimits;
}

/** Params that are whole numbers. */
export interface Numbers {
  batchSize: number;
  batchWindowSeconds: number;
  maximumConcurrency: number;
  aggregatorTimeoutSeconds: number;
  aggregatorMemoryMb: number;
  visibilityTimeoutSeconds: number;
  maxReceiveCount: number;
  busRetrySeconds: number;
  queueRetentionSeconds: number;
  deadLetterRetentionSeconds: number;
  staleLinkSeconds: number;
}

interface EdgeSettings {
  edge: string;
  edges: string[];
  region: string;
  webAclArn: string;
  certificateArn: string;
}

export interface CheckedSettings {
  stage: string;
  stages: string[];
  ownStage: string;
  anyStage: Flag;
  aggregator: string;
  allowedAggregators: string[];
  domain: { name: string; certificateArn: string };
  alarmEmail: { required: Flag; given: string };
  logLevel: string;
  clickQueues: { all: Numeric; inUse: Numeric };
  clicksVia: string;
  hostingIsBot: Flag;
  countVisitors: Flag;
  requestsPerSecond: RequestLimits;
  billing: string;
  concurrency: { ofQueue: number; reserved: { aggregateClicks?: number } };
  backupDays: Numeric;
  numbers: Numbers;
  domainLists: Record<string, string>;
}

export interface StageSettings extends CheckedSettings {
  edge: EdgeSettings;
  /** The params of each stage, and the defaults. */
  params: { default: Params } & Record<string, Partial<Params>>;
  /** Those of the command line, such as `edge=cloudfront`. */
  givenParams: string[];
  command: string;
}
