/** EMF has a list where a metric was added more than once before it was published. */
type MetricValue = number | number[];

/** The number of messages that a line of the aggregator's metrics reports. */
export function countReported(line: string): number {
  const metrics: Record<string, MetricValue> = JSON.parse(line);
  const { ClicksCounted = 0, DuplicateClicks = 0, FailedClicks = 0 } = metrics;
  return [ClicksCounted, DuplicateClicks, FailedClicks].flat().reduce((sum, value) => sum + value);
}
