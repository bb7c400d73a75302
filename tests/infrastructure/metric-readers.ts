import { ofType, propertiesOf, resolve, type StageTemplate } from './stage-template.ts';

/** A metric that an alarm or a widget reads. */
export interface MetricRead {
  reader: string;
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  statistic: string;
}

interface Dimension {
  Name: string;
  Value: string;
}
interface AlarmMetric {
  Namespace: string;
  MetricName: string;
  Dimensions?: Dimension[];
}
interface AlarmQuery {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: AlarmMetric; Stat: string };
}
interface Alarm extends AlarmMetric {
  /** In seconds. */
  Period?: number;
  AlarmName: string;
  AlarmDescription: string;
  AlarmActions: string[];
  Statistic?: string;
  ExtendedStatistic?: string;
  ComparisonOperator: string;
  Threshold: number;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Metrics?: AlarmQuery[];
}

interface Transformation {
  MetricNamespace: string;
  MetricName: string;
}

interface WidgetMetricOptions {
  id?: string;
  stat?: string;
  expression?: string;
}
type WidgetMetric = [...string[], WidgetMetricOptions];
export interface Widget {
  type: string;
  x: number;
  y: number;
  width: number;
  height: number;
  properties: {
    title: string;
    region?: string;
    stat?: string;
    alarms?: string[];
    metrics?: WidgetMetric[];
  };
}

/** By logical id. */
export function readAlarms(template: StageTemplate): Record<string, Alarm> {
  const alarms = Object.entries(ofType(template, 'AWS::CloudWatch::Alarm'));
  return Object.fromEntries(
    alarms.map(([id, { Properties }]) => [id, resolve(template, Properties) as Alarm]),
  );
}

/** None unless the stage has the dashboard. */
export function readWidgets(template: StageTemplate): Widget[] {
  if (!template.Resources.ClickDashboard) return [];
  const { DashboardBody } = propertiesOf(template, 'ClickDashboard');
  return JSON.parse(`${resolve(template, DashboardBody)}`).widgets;
}

export function readByAlarms(template: StageTemplate): MetricRead[] {
  return Object.entries(readAlarms(template)).flatMap(([id, alarm]) => {
    const queries = alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []);
    const metrics = queries ?? [
      { Metric: alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic ?? '' },
    ];
    return metrics.map(({ Metric, Stat }) => ({
      reader: id,
      namespace: Metric.Namespace,
      name: Metric.MetricName,
      dimensions: Object.fromEntries((Metric.Dimensions ?? []).map((d) => [d.Name, d.Value])),
      statistic: Stat,
    }));
  });
}

export function readByWidgets(template: StageTemplate): MetricRead[] {
  return readWidgets(template).flatMap(({ properties }) =>
    (properties.metrics ?? []).flatMap((metric) => {
      const options = metric.at(-1) as WidgetMetricOptions;
      const [namespace = '', name = '', ...pairs] = metric.slice(0, -1) as string[];
      if (options.expression) return [];
      const statistic = options.stat ?? properties.stat ?? '';
      return { reader: properties.title, namespace, name, dimensions: pairUp(pairs), statistic };
    }),
  );
}

/** The metrics that CloudWatch Logs extracts from log lines. */
export function readFilteredMetrics(template: StageTemplate): Omit<MetricRead, 'reader'>[] {
  const filters = Object.values(ofType(template, 'AWS::Logs::MetricFilter'));
  return filters.flatMap(({ Properties }) =>
    (Properties.MetricTransformations as Transformation[]).map((made) => ({
      namespace: made.MetricNamespace,
      name: made.MetricName,
      dimensions: {},
      statistic: 'Sum',
    })),
  );
}

/** Evaluates a metric math expression. A metric without data points is undefined. */
export function evaluate(expression: string, metrics: Record<string, number | undefined>): number {
  const functions = {
    FILL: (value: number | undefined, missing: number) => value ?? missing,
    MAX: (values: number[]) => Math.max(...values),
    FLOOR: Math.floor,
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  };
  const scope = { ...functions, ...metrics };
  return new Function(...Object.keys(scope), `return ${expression}`)(...Object.values(scope));
}

function pairUp(texts: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let i = 0; i < texts.length; i += 2) pairs[`${texts[i]}`] = `${texts[i + 1]}`;
  return pairs;
}
