import { readAggregatorConfig } from '../../lib/clicks/aggregator-config.ts';
import { loadTemplate, type Template } from '../../local/engines/template.ts';
import { accessLogValues } from './assumptions.ts';

/** A stage's settings that affect costs. */
export interface StageCosts {
  clicksVia: 'bus' | 'queue';
  resolverMemoryMb: number;
  pusherMemoryMb: number;
  /** For a redirected request. */
  accessLogBytes: number;
  logRetentionDays: number;
  markerTtlSeconds: number;
  pointInTimeRecovery: boolean;
  pushBatchWindowSeconds: number;
  /** Assuming a data point in every hour. */
  customMetrics: number;
  alarmMetrics: number;
  dashboards: number;
  keys: number;
}

/** Packages prod and reads its costs. */
export async function loadStageCosts(): Promise<StageCosts> {
  // prod can't be packaged without an address, which is free.
  return readStageCosts(await loadTemplate('prod', { alarmEmail: 'alarms@example.com' }));
}

/**
 * Reads the costs from a packaged stage's template.
 * @throws {Error} if a resource is missing, if the access log has a variable of unknown length, or if a
 * function causes traces or Lambda's own log lines, which have no price here.
 */
export function readStageCosts(template: Template): StageCosts {
  const table = read<Table>(template, 'ClickTable');
  const { Environment } = read<LambdaFunction>(template, 'AggregateClicksLambdaFunction');
  const resolver = read<LambdaFunction>(template, 'ResolveLinkLambdaFunction');
  const variables = { TABLE_NAME: 'ClickTable', ...keepStrings(Environment.Variables) };
  return {
    clicksVia: resolver.Environment.Variables.CLICKS_VIA === 'queue' ? 'queue' : 'bus',
    resolverMemoryMb: readMemoryMb(template, 'ResolveLinkLambdaFunction'),
    pusherMemoryMb: readMemoryMb(template, 'PushCountsLambdaFunction'),
    accessLogBytes: measureAccessLog(
      read<ApiStage>(template, 'HttpApiStage').AccessLogSettings.Format,
    ),
    logRetentionDays: read<LogGroup>(template, 'HttpApiLogGroup').RetentionInDays,
    markerTtlSeconds: readAggregatorConfig(variables).markerTtlSeconds,
    pointInTimeRecovery: table.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
    pushBatchWindowSeconds: readPushWindow(template),
    ...countMonitors(template),
  };
}

interface Table {
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: boolean };
}
interface ApiStage {
  AccessLogSettings: { Format: string };
}
interface LogGroup {
  RetentionInDays: number;
}
interface LambdaFunction {
  MemorySize: number;
  TracingConfig?: { Mode: 'Active' | 'PassThrough' };
  LoggingConfig?: { LogFormat?: 'Text' | 'JSON'; SystemLogLevel?: 'DEBUG' | 'INFO' | 'WARN' };
  Environment: { Variables: Record<string, unknown> };
}
interface Mapping {
  EventSourceArn: unknown;
  MaximumBatchingWindowInSeconds?: number;
}
interface Metric {
  Namespace: string;
  MetricName: string;
}
interface Alarm extends Metric {
  Metrics?: { MetricStat?: { Metric: Metric } }[];
}

function read<T>(template: Template, id: string): T {
  const resource = template.Resources[id];
  if (!resource) throw new Error(`expected the template to have ${id}; it does not`);
  return resource.Properties as T;
}

const readAll = <T>(template: Template, type: string): T[] =>
  Object.values(template.Resources)
    .filter((resource) => resource.Type === type)
    .map(({ Properties }) => Properties as T);

const keepStrings = (variables: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      typeof value === 'object' ? [] : [[name, `${value}`]],
    ),
  );

function readMemoryMb(template: Template, id: string): number {
  const { MemorySize, TracingConfig, LoggingConfig } = read<LambdaFunction>(template, id);
  // Lambda filters by level only in JSON. At WARN, it logs nothing about a successful invocation.
  const isQuiet = LoggingConfig?.LogFormat === 'JSON' && LoggingConfig.SystemLogLevel === 'WARN';
  if (TracingConfig?.Mode !== 'Active' && isQuiet) return MemorySize;
  const got = JSON.stringify({ TracingConfig, LoggingConfig });
  throw new Error(`expected ${id} untraced, with Lambda's JSON logs at WARN; got ${got}`);
}

/** @throws {Error} if the format has a variable of unknown length. */
function measureAccessLog(format: string): number {
  const line = format.replaceAll(/\$([\w.]+)/g, (_, variable: string) => {
    const value = accessLogValues[variable];
    if (value !== undefined) return value;
    throw new Error(
      `expected to know the length of $${variable} in the access log; got no value. ` +
        'Add one to accessLogValues in proofs/capacity/assumptions.ts.',
    );
  });
  return Buffer.byteLength(line);
}

function readPushWindow(template: Template): number {
  const mappings = readAll<Mapping>(template, 'AWS::Lambda::EventSourceMapping');
  const ofStream = mappings.find(({ EventSourceArn }) =>
    JSON.stringify(EventSourceArn).includes('StreamArn'),
  );
  if (!ofStream) throw new Error("expected a mapping on ClickTable's stream; got none");
  return ofStream.MaximumBatchingWindowInSeconds ?? 0;
}

/** Metrics that no alarm reads, such as dead letters, have data points only when something fails. */
function countMonitors(template: Template) {
  const metrics = readAll<Alarm>(template, 'AWS::CloudWatch::Alarm').flatMap(
    (alarm) => alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) ?? [alarm],
  );
  const custom = metrics.filter(({ Namespace }) => Namespace.startsWith('ClickTally'));
  return {
    customMetrics: new Set(custom.map(({ MetricName }) => MetricName)).size,
    alarmMetrics: metrics.length,
    dashboards: readAll(template, 'AWS::CloudWatch::Dashboard').length,
    keys: readAll(template, 'AWS::KMS::Key').length,
  };
}
