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
  /** The metrics of all alarms without anomaly detection. */
  alarmMetrics: number;
  anomalyAlarms: number;
  dashboards: number;
  keys: number;
}

/** Packages prod with these params and reads its costs. */
export async function loadStageCosts(params: Record<string, number> = {}): Promise<StageCosts> {
  // prod can't be packaged without an address, which is free.
  const alarmEmail = 'alarms@example.com';
  return readStageCosts(await loadTemplate('prod', { alarmEmail, ...params }));
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
interface Alarm {
  Metrics?: { MetricStat?: object }[];
  ThresholdMetricId?: string;
}
interface Dashboard {
  DashboardBody: { 'Fn::Sub': string };
}
interface Widget {
  properties: { metrics?: unknown[][] };
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

function countMonitors(template: Template) {
  const alarms = readAll<Alarm>(template, 'AWS::CloudWatch::Alarm');
  const onAnomalies = alarms.filter(({ ThresholdMetricId }) => ThresholdMetricId !== undefined);
  const dashboards = readAll<Dashboard>(template, 'AWS::CloudWatch::Dashboard');
  const others = alarms.filter((alarm) => !onAnomalies.includes(alarm));
  return {
    customMetrics: new Set(dashboards.flatMap(findCustomMetrics)).size,
    alarmMetrics: others.reduce((sum, alarm) => sum + countMetrics(alarm), 0),
    anomalyAlarms: onAnomalies.length,
    dashboards: dashboards.length,
    keys: readAll(template, 'AWS::KMS::Key').length,
  };
}

const countMetrics = ({ Metrics }: Alarm) =>
  Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;

/** The dashboard shows every metric of the service: tests/infrastructure/metrics.test.ts. */
function findCustomMetrics({ DashboardBody }: Dashboard): string[] {
  const { widgets }: { widgets: Widget[] } = JSON.parse(DashboardBody['Fn::Sub']);
  return widgets
    .flatMap(({ properties }) => properties.metrics ?? [])
    .filter(([namespace]) => `${namespace}`.startsWith('ClickTally'))
    .map(([namespace, name]) => `${namespace} ${name}`);
}
