// The parts of CloudWatch's alarms and dashboards that our modules describe.

export interface Dimension {
  Name: string;
  Value: unknown;
}

export interface Metric {
  Namespace: string;
  MetricName: string;
  Dimensions?: Dimension[];
}

/** A metric's statistic over a period in seconds. */
export interface Statistic extends Metric {
  Statistic: string;
  Period: number;
}

/** The options of a graph's line. */
export interface LineOptions {
  id?: string;
  stat?: string;
  visible?: boolean;
  yAxis?: string;
  /** By default, the dashboard's. */
  region?: string;
}

/** A metric's namespace, name and dimensions, or an expression; and then its options. */
export type Line = (string | (LineOptions & { label?: string; expression?: string }))[];

/** Takes a metric's name and a label, and returns a line of a graph. */
export type Source = (name: string, label?: string, options?: LineOptions) => Line;

/** Takes the same, and returns the lines of an expression and of the metrics in it. */
export type Combination = (name: string, label: string, options?: LineOptions) => Line[];

export interface Widget {
  type: string;
  width: number;
  properties: object;
}

/** A row's height, and its widgets from left to right. */
export type Row = [height: number, ...widgets: Widget[]];
