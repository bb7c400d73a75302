import { loadTemplate, type Template } from '../../local/engines/template.ts';

/** A stage's settings that affect costs. */
export type StageCosts = ReturnType<typeof readStageCosts>;

/** Packages prod and reads its costs. */
export async function loadStageCosts(billing = 'onDemand'): Promise<StageCosts> {
  // prod can't be packaged without an address, which is free.
  return readStageCosts(await loadTemplate('prod', { alarmEmail: 'alarms@example.com', billing }));
}

/** CloudWatch's alarms for each of autoscaling's policies, from memory. */
const alarmsPerPolicy = 4;

/**
 * Reads the costs from a packaged stage's template.
 * @throws {Error} if a resource is missing, or if a function causes traces or Lambda's own log lines, which
 * have no price here.
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
    /** The least units a second of a provisioned table and its index. */
    provisioned: Resources.TableReadTarget && {
      reads: one('TableReadTarget').MinCapacity,
      writes: one('TableWriteTarget').MinCapacity,
      indexReads: one('IndexReadTarget').MinCapacity,
      indexWrites: one('IndexWriteTarget').MinCapacity,
    },
    logRetentionDays: one('HttpApiLogGroup').RetentionInDays,
    pushBatchWindowSeconds: ofStream?.MaximumBatchingWindowInSeconds ?? 0,
    /** Assuming a data point in every hour. */
    customMetrics: new Set(custom.map(({ MetricName }) => MetricName)).size,
    alarmMetrics:
      metrics.length + alarmsPerPolicy * all('AWS::ApplicationAutoScaling::ScalingPolicy').length,
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
  MinCapacity: number;
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
