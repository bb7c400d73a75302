import { ofType, propertiesOf, resolve, type StageTemplate } from './stage-template.ts';

/** A metric that an alarm or a widget reads. */
export type MetricRead = {
  reader: string;
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  statistic: string;
};

type Dimension = { Name: string; Value: string };
type AlarmMetric = { Namespace: string; MetricName: string; Dimensions?: Dimension[] };
type AlarmQuery = { Id: string; MetricStat?: { Metric: AlarmMetric; Stat: string } };
export type Alarm = AlarmMetric & {
  AlarmName: string;
  AlarmDescription: string;
  AlarmActions: string[];
  Statistic: string;
  Metrics?: AlarmQuery[];
};

type WidgetMetricOptions = { id?: string; stat?: string; expression?: string };
type WidgetMetric = [...string[], WidgetMetricOptions];
export type Widget = {
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
};

/** The alarms by logical id. */
export function readAlarms(template: StageTemplate): Record<string, Alarm> {
  const alarms = Object.entries(ofType(template, 'AWS::CloudWatch::Alarm'));
  return Object.fromEntries(
    alarms.map(([id, { Properties }]) => [id, resolve(template, Properties) as Alarm]),
  );
}

/** The dashboard's widgets. */
export function readWidgets(template: StageTemplate): Widget[] {
  const { DashboardBody } = propertiesOf(template, 'ClickDashboard');
  return JSON.parse(`${resolve(template, DashboardBody)}`).widgets;
}

export function readByAlarms(template: StageTemplate): MetricRead[] {
  return Object.entries(readAlarms(template)).flatMap(([id, alarm]) => {
    const queries = alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []);
    const metrics = queries ?? [{ Metric: alarm, Stat: alarm.Statistic }];
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

function pairUp(texts: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let i = 0; i < texts.length; i += 2) pairs[`${texts[i]}`] = `${texts[i + 1]}`;
  return pairs;
}
