/** A list if a metric was added more than once before it was published. */
type MetricValue = number | number[];

/** The number of messages in a line of the aggregator's metrics. */
export function countReported(line: string): number {
  const metrics: Record<string, MetricValue> = JSON.parse(line);
  const { ClicksCounted = 0, DuplicateClicks = 0, FailedClicks = 0 } = metrics;
  return [ClicksCounted, DuplicateClicks, FailedClicks].flat().reduce((sum, value) => sum + value);
}

interface Sums {
  received: number;
  reported: number;
  /** Invocations that haven't published yet. */
  silent: number;
}

/** Compares the messages that aggregators received with those in their metrics. */
export class MetricsAudit {
  readonly #sums = new Map<string, Sums>();

  /** An aggregator got a batch of this size. */
  onInvoked(instance: string, messages: number): void {
    const sums = this.#sumsOf(instance);
    sums.received += messages;
    sums.silent += 1;
  }

  /**
   * An aggregator published metrics with this total of messages. An invocation that ends early may
   * publish with the next one, but every message must be reported once. Returns the problem, if any.
   */
  onMetrics(instance: string, messages: number): string | undefined {
    const sums = this.#sumsOf(instance);
    sums.reported += messages;
    sums.silent -= 1;
    const { received, reported, silent } = sums;
    if (reported <= received && (silent > 0 || reported === received)) return undefined;
    return `${received} received, but ${reported} reported`;
  }

  #sumsOf(instance: string): Sums {
    const sums = this.#sums.get(instance) ?? { received: 0, reported: 0, silent: 0 };
    this.#sums.set(instance, sums);
    return sums;
  }
}
