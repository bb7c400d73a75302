import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectDir } from '../../local/engines/serverless.ts';

interface Metric {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: string }[];
}
export interface Alarm extends Metric {
  AlarmDescription: string;
  Threshold: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  Metrics?: { Id: string; Expression?: string; MetricStat?: { Metric: Metric; Stat: string } }[];
}

type WidgetMetric = [...string[], { stat?: string; expression?: string }];
interface Widget {
  properties: { title: string; stat?: string; metrics?: WidgetMetric[] };
}

/** The metrics that alarms read. */
export const readByAlarms = (alarms: Record<string, Alarm>) =>
  Object.entries(alarms).flatMap(([reader, alarm]) => {
    const single = { Metric: alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic ?? '' };
    const metrics = alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []) ?? [single];
    return metrics.map(({ Metric: { Namespace, MetricName, Dimensions = [] }, Stat }) => ({
      ...{ reader, namespace: Namespace, name: MetricName, statistic: Stat },
      dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
    }));
  });

/** The metrics that a dashboard's widgets read. */
export const readByWidgets = (body: string) =>
  (JSON.parse(body).widgets as Widget[]).flatMap(({ properties: { title, stat, metrics = [] } }) =>
    metrics.flatMap((metric) => {
      const options = metric.at(-1) as Exclude<WidgetMetric[number], string>;
      const [namespace = '', name = '', ...pairs] = metric.slice(0, -1) as string[];
      const dimensions = Object.fromEntries(
        pairs.flatMap((text, index) => (index % 2 === 0 ? [[text, `${pairs[index + 1]}`]] : [])),
      );
      const read = { reader: title, namespace, name, dimensions };
      return options.expression ? [] : [{ ...read, statistic: options.stat ?? stat ?? '' }];
    }),
  );

/** The names of all metrics in the code. */
export const emittedNames: string[] = globSync('{functions,lib}/**/*.ts', {
  cwd: projectDir,
}).flatMap((file) => {
  const text = readFileSync(path.join(projectDir, file), 'utf8');
  return [...text.matchAll(/\baddMetric\(\s*'(\w+)'/g)].map(([, name]) => `${name}`);
});

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
