import type { SQSBatchResponse } from 'aws-lambda';
import type { AwsService } from './aws-service.ts';
import { textOf } from './dynamodb/item-values.ts';
import type { TransactWriteItem } from './dynamodb/transact-write.ts';
import type { InvocationEnd } from './lambda.ts';
import type { Surroundings } from './surroundings.ts';

/** An invocation's batch. */
interface Batch {
  clicks: number;
  startMs: number;
  isMeasured: boolean;
}

/** A run's result. The sums are of batches that started in the measured time. */
export interface Measurement {
  clicks: number;
  /** The share of transactions with a conflict. */
  cancelledShare: number;
  /** Write units per click. */
  committedUnits: number;
  cancelledUnits: number;
  /** From the start of a click's invocation to its commit. */
  lagMeanMs: number;
  lagP50Ms: number;
  lagP99Ms: number;
  /** From the start of an invocation to its end. */
  invocationMs: number;
  /** Wrong counts. Empty unless the service is broken. */
  problems: string[];
}

/** Adds up the invocations within the measured time. */
export class ContentionMeter {
  readonly #surroundings: Surroundings;
  readonly #fromMs: number;
  readonly #untilMs: number;
  readonly #lagsMs: number[] = [];
  readonly #problems: string[] = [];
  readonly #sums = { clicks: 0, batches: 0, runningMs: 0 };
  readonly #committed = { transactions: 0, units: 0 };
  readonly #cancelled = { transactions: 0, units: 0 };
  /** The current batch of each instance, by name. */
  readonly #running = new Map<string, Batch>();
  #chargedUnits = 0;

  constructor(surroundings: Surroundings, fromMs: number, untilMs: number) {
    this.#surroundings = surroundings;
    this.#fromMs = fromMs;
    this.#untilMs = untilMs;
  }

  /** A batch is complete. */
  startBatch(clicks: number): Batch {
    const startMs = this.#surroundings.time.nowMs;
    return { clicks, startMs, isMeasured: startMs >= this.#fromMs && startMs < this.#untilMs };
  }

  onInvoked(instance: string, batch: Batch): void {
    this.#running.set(instance, batch);
  }

  endBatch({ clicks, startMs, isMeasured }: Batch, end: InvocationEnd): void {
    const failed = 'error' in end ? end.error : readFailures(end.answer);
    if (failed) this.#problems.push(`a batch failed: ${failed}`);
    if (!isMeasured) return;
    this.#sums.batches += 1;
    this.#sums.clicks += clicks;
    this.#sums.runningMs += this.#surroundings.time.nowMs - startMs;
  }

  /** Wraps the table to measure its transactions. */
  measure(table: AwsService): AwsService {
    return {
      handle: (operation, input, reply, caller) => {
        const { TransactItems = [] } = input as { TransactItems?: TransactWriteItem[] };
        const measured: typeof reply = (answer) => {
          this.#onAnswer(this.#running.get(caller.name), TransactItems, answer.status);
          reply(answer);
        };
        table.handle(operation, input, measured, caller);
      },
    };
  }

  /** The result, with further problems. */
  report(problems: string[]): Measurement {
    const { clicks, batches, runningMs } = this.#sums;
    const lagsMs = this.#lagsMs.toSorted((a, b) => a - b);
    const [committed, cancelled] = [this.#committed, this.#cancelled];
    if (lagsMs.length !== clicks) this.#problems.push(`${lagsMs.length} of ${clicks} committed`);
    return {
      clicks,
      cancelledShare: cancelled.transactions / (cancelled.transactions + committed.transactions),
      committedUnits: committed.units / clicks,
      cancelledUnits: cancelled.units / clicks,
      lagMeanMs: lagsMs.reduce((sum, lagMs) => sum + lagMs, 0) / lagsMs.length,
      lagP50Ms: quantile(lagsMs, 0.5),
      lagP99Ms: quantile(lagsMs, 0.99),
      invocationMs: runningMs / batches,
      problems: [...this.#problems, ...problems],
    };
  }

  #onAnswer(batch: Batch | undefined, items: TransactWriteItem[], status: number): void {
    const { totals } = this.#surroundings.statistics;
    const charged =
      (totals['write units'] ?? 0) + (totals['write units of cancelled transactions'] ?? 0);
    const units = charged - this.#chargedUnits;
    this.#chargedUnits = charged;
    if (!batch?.isMeasured || items.length === 0) return;
    const sums = status === 200 ? this.#committed : this.#cancelled;
    sums.transactions += 1;
    sums.units += units;
    if (status !== 200) return;
    const lagMs = this.#surroundings.time.nowMs - batch.startMs;
    for (let left = countMarkers(items); left > 0; left -= 1) this.#lagsMs.push(lagMs);
  }
}

function readFailures(answer: unknown): string {
  const { batchItemFailures } = answer as SQSBatchResponse;
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).join(', ');
}

/** The number of markers in a transaction: single items or slots of sheets. */
function countMarkers(items: TransactWriteItem[]): number {
  return items.reduce((count, { Put, Update }) => {
    const isSheet = textOf(Update?.Key ?? {}, 'PK').startsWith('CLICKS#');
    const slots = isSheet ? Update?.UpdateExpression?.match(/\b[a-m]\d =/g) : [];
    return count + Number(Put !== undefined) + (slots?.length ?? 0);
  }, 0);
}

function quantile(ascending: number[], share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN;
}
