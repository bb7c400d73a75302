import { readAggregatorConfig } from '../../lib/clicks/aggregator-config.ts';
import { loadTemplate, type Template } from '../../local/engines/template.ts';
import { accessLogValues } from './assumptions.ts';

/** A stage's settings that affect costs. */
export type StageCosts = ReturnType<typeof readStageCosts>;

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
export function readStageCosts({ Resources }: Template) {
  const all = (type: string) =>
    Object.values(Resources).flatMap(({ Type, Properties }) =>
      Type === type ? (Properties as Properties) : [],
    );
  const one = (id: string) => {
    const resource = Resources[id];
    if (!resource) throw new Error(`expected the template to have ${id}; it does not`);
    return resource.Properties as Properties;
  };
  const resolver = checkQuiet('ResolveLinkLambdaFunction', one);
  const pusher = checkQuiet('PushCountsLambdaFunction', one);
  const variables = Object.entries(one('AggregateClicksLambdaFunction').Environment.Variables);
  const texts = variables.filter(([, value]) => typeof value !== 'object');
  const config = { TABLE_NAME: 'ClickTable', ...Object.fromEntries(texts) };
  const ofStream = all('AWS::Lambda::EventSourceMapping').find(({ EventSourceArn }) =>
    JSON.stringify(EventSourceArn).includes('StreamArn'),
  );
  const metrics = all('AWS::CloudWatch::Alarm').flatMap((alarm): Metric[] =>
    alarm.Metrics ? alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) : [alarm],
  );
  // Metrics that no alarm reads, such as dead letters, have data points only when something fails.
  const custom = metrics.filter(({ Namespace }) => Namespace.startsWith('ClickTally'));
  return {
    clicksVia: String(resolver.Environment.Variables.CLICKS_VIA),
    resolverMemoryMb: resolver.MemorySize,
    pusherMemoryMb: pusher.MemorySize,
    /** For a redirected request. */
    accessLogBytes: measureAccessLog(one('HttpApiStage').AccessLogSettings.Format),
    logRetentionDays: one('HttpApiLogGroup').RetentionInDays,
    markerTtlSeconds: readAggregatorConfig(config).markerTtlSeconds,
    pointInTimeRecovery:
      one('ClickTable').PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
    pushBatchWindowSeconds: ofStream?.MaximumBatchingWindowInSeconds ?? 0,
    /** Assuming a data point in every hour. */
    customMetrics: new Set(custom.map(({ MetricName }) => MetricName)).size,
    alarmMetrics: metrics.length,
    dashboards: all('AWS::CloudWatch::Dashboard').length,
    keys: all('AWS::KMS::Key').length,
  };
}

interface Metric {
  Namespace: string;
  MetricName: string;
}
/** The properties of all resources here; each has those of its type. */
interface Properties extends Metric {
  MemorySize: number;
  TracingConfig?: { Mode: 'Active' | 'PassThrough' };
  LoggingConfig?: { LogFormat?: 'Text' | 'JSON'; SystemLogLevel?: 'DEBUG' | 'INFO' | 'WARN' };
  Environment: { Variables: Record<string, unknown> };
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: boolean };
  AccessLogSettings: { Format: string };
  RetentionInDays: number;
  EventSourceArn: unknown;
  MaximumBatchingWindowInSeconds?: number;
  Metrics?: { MetricStat?: { Metric: Metric } }[];
}

// Lambda filters by level only in JSON. At WARN, it logs nothing about a successful invocation.
function checkQuiet(id: string, readProperties: (id: string) => Properties): Properties {
  const { TracingConfig, LoggingConfig, ...properties } = readProperties(id);
  const isQuiet = LoggingConfig?.LogFormat === 'JSON' && LoggingConfig.SystemLogLevel === 'WARN';
  if (TracingConfig?.Mode !== 'Active' && isQuiet) return properties;
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
