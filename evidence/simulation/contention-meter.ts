import type { SQSBatchResponse } from 'aws-lambda';
import type { Answer } from './aws-service.ts';
import type { Item } from './dynamodb/item-store.ts';
import type { TransactWriteItem } from './dynamodb/transaction.ts';
import type { Outcome } from './lambda.ts';

/** A click in the queue. */
export interface Message {
  id: string;
  body: string;
  sentMs: number;
}

/** An invocation and its messages. */
export interface Batch {
  messages: Message[];
  startMs: number;
  isMeasured: boolean;
}

/** What one run gave; the sums are those of the batches that began in the measured time. */
export interface Measurement {
  clicks: number;
  batches: number;
  clicksPerBatch: number;
  transactions: number;
  itemsPerTransaction: number;
  /** The shares that met a conflict. */
  cancelledShare: number;
  contendedShare: number;
  /** Write units a click. */
  committedUnits: number;
  cancelledUnits: number;
  /** From the start of a click's invocation to its commit. */
  lagMeanMs: number;
  lagP50Ms: number;
  lagP99Ms: number;
  /** From the start of an invocation to its end. */
  invocationMs: number;
  meanConcurrency: number;
  maxConcurrency: number;
  /** What is wrong with the counts; empty unless the service is broken. */
  problems: string[];
}

/** Every item is below 1 KB, and a transaction writes each of them twice. */
const unitsPerItem = 2;

/** Adds up what invocations do within the measured time. */
export class ContentionMeter {
  readonly #fromMs: number;
  readonly #untilMs: number;
  readonly #lagsMs: number[] = [];
  readonly #contended = new Set<string>();
  readonly #problems: string[] = [];
  readonly #sums = {
    clicks: 0,
    batches: 0,
    runningMs: 0,
    committed: 0,
    committedItems: 0,
    cancelled: 0,
    cancelledItems: 0,
  };
  #active = 0;
  #maxActive = 0;

  constructor(fromMs: number, untilMs: number) {
    this.#fromMs = fromMs;
    this.#untilMs = untilMs;
  }

  startBatch(messages: Message[], nowMs: number): Batch {
    const isMeasured = nowMs >= this.#fromMs && nowMs < this.#untilMs;
    this.#active += 1;
    if (isMeasured) this.#maxActive = Math.max(this.#maxActive, this.#active);
    return { messages, startMs: nowMs, isMeasured };
  }

  endBatch({ messages, startMs, isMeasured }: Batch, outcome: Outcome, nowMs: number): void {
    this.#active -= 1;
    const failed = 'error' in outcome ? outcome.error : readFailures(outcome.answer);
    if (failed) this.#problems.push(`a batch failed: ${failed}`);
    if (!isMeasured) return;
    this.#sums.batches += 1;
    this.#sums.clicks += messages.length;
    this.#sums.runningMs += nowMs - startMs;
  }

  /** DynamoDB answers; cancelled transactions are charged as if they had been committed. */
  onAnswer(batch: Batch, operation: string, input: unknown, answer: Answer, nowMs: number): void {
    if (operation !== 'TransactWriteItems' || !batch.isMeasured) return;
    const { TransactItems } = input as { TransactItems: TransactWriteItem[] };
    const sums = this.#sums;
    if (answer.status === 200) {
      sums.committed += 1;
      sums.committedItems += TransactItems.length;
      for (const _ of listMarkers(TransactItems)) this.#lagsMs.push(nowMs - batch.startMs);
      return;
    }
    sums.cancelled += 1;
    sums.cancelledItems += TransactItems.length;
    for (const marker of listMarkers(TransactItems)) this.#contended.add(marker);
  }

  /** The result, given how many clicks each link was sent and all stored items. */
  report(sentByCode: Map<string, number>, items: Iterable<Item>): Measurement {
    const { clicks, batches, committed, committedItems, cancelled, cancelledItems } = this.#sums;
    const lagsMs = this.#lagsMs.toSorted((a, b) => a - b);
    const transactions = committed + cancelled;
    if (lagsMs.length !== clicks) this.#problems.push(`${lagsMs.length} of ${clicks} committed`);
    return {
      clicks,
      batches,
      clicksPerBatch: clicks / batches,
      transactions,
      itemsPerTransaction: (committedItems + cancelledItems) / transactions,
      cancelledShare: cancelled / transactions,
      contendedShare: this.#contended.size / clicks,
      committedUnits: (unitsPerItem * committedItems) / clicks,
      cancelledUnits: (unitsPerItem * cancelledItems) / clicks,
      lagMeanMs: lagsMs.reduce((sum, lagMs) => sum + lagMs, 0) / lagsMs.length,
      lagP50Ms: quantile(lagsMs, 0.5),
      lagP99Ms: quantile(lagsMs, 0.99),
      invocationMs: this.#sums.runningMs / batches,
      meanConcurrency: this.#sums.runningMs / (this.#untilMs - this.#fromMs),
      maxConcurrency: this.#maxActive,
      problems: [...this.#problems, ...compareCounts(sentByCode, items)],
    };
  }
}

function readFailures(answer: unknown): string {
  const { batchItemFailures } = answer as SQSBatchResponse;
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).join(', ');
}

/** A name for each marker that a transaction writes: its item and, on a page, the slot. */
function* listMarkers(items: TransactWriteItem[]): Generator<string> {
  for (const { Put, Update } of items) {
    if (Put) yield textOf(Put.Item.PK);
    const page = textOf(Update?.Key.PK);
    if (!Update || !page.startsWith('CLICKS#')) continue;
    for (const [, slot] of Update.UpdateExpression.matchAll(/\b([a-m]\d) =/g)) {
      yield `${page} ${slot}`;
    }
  }
}

function compareCounts(sentByCode: Map<string, number>, items: Iterable<Item>): string[] {
  const stored = new Map<string, { clicks: number; count: number }>();
  for (const item of items) {
    const [kind, code = ''] = textOf(item.PK).split('#');
    if (kind !== 'LINK') continue;
    const { clicks = 0, count = 0 } = stored.get(code) ?? {};
    stored.set(code, {
      clicks: clicks + numberOf(item.clicks),
      count: count + numberOf(item.count),
    });
  }
  return [...stored]
    .filter(([code, sums]) => {
      const sent = sentByCode.get(code) ?? 0;
      return sums.clicks !== sent || sums.count !== sent;
    })
    .map(
      ([code, { clicks, count }]) =>
        `${code} was sent ${sentByCode.get(code) ?? 0} clicks, but has ${clicks}, its days ${count}`,
    );
}

function textOf(value: Item[string] | undefined): string {
  return value && 'S' in value ? value.S : '';
}

function numberOf(value: Item[string] | undefined): number {
  return value && 'N' in value ? Number(value.N) : 0;
}

function quantile(ascending: number[], share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN;
}
