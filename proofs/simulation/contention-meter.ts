import type { SQSBatchResponse } from 'aws-lambda';
import type { Item } from '../../fixtures/dynamodb-items.ts';
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

/** How DynamoDB answered, and what it charged. */
interface Charged {
  status: number;
  units: number;
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

/** Adds up what invocations do within the measured time. */
export class ContentionMeter {
  readonly #fromMs: number;
  readonly #untilMs: number;
  readonly #lagsMs: number[] = [];
  readonly #contended = new Set<string>();
  readonly #problems: string[] = [];
  readonly #sums = {
    ...{ clicks: 0, batches: 0, runningMs: 0, committed: 0, cancelled: 0, items: 0 },
    ...{ committedUnits: 0, cancelledUnits: 0 },
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

  /** DynamoDB answers a transaction that it charged so many write units. */
  onAnswer(batch: Batch, items: TransactWriteItem[], answer: Charged, nowMs: number): void {
    if (!batch.isMeasured) return;
    const sums = this.#sums;
    const markers = listMarkers(items);
    sums.items += items.length;
    if (answer.status === 200) {
      sums.committed += 1;
      sums.committedUnits += answer.units;
      for (const _ of markers) this.#lagsMs.push(nowMs - batch.startMs);
    } else {
      sums.cancelled += 1;
      sums.cancelledUnits += answer.units;
      for (const marker of markers) this.#contended.add(marker);
    }
  }

  /** The result, given how many clicks each link was sent and all stored items. */
  report(sentByCode: Map<string, number>, items: Iterable<Item>): Measurement {
    const { clicks, batches, runningMs, committed, cancelled, ...sums } = this.#sums;
    const lagsMs = this.#lagsMs.toSorted((a, b) => a - b);
    const transactions = committed + cancelled;
    if (lagsMs.length !== clicks) this.#problems.push(`${lagsMs.length} of ${clicks} committed`);
    return {
      clicks,
      batches,
      clicksPerBatch: clicks / batches,
      transactions,
      itemsPerTransaction: sums.items / transactions,
      cancelledShare: cancelled / transactions,
      contendedShare: this.#contended.size / clicks,
      committedUnits: sums.committedUnits / clicks,
      cancelledUnits: sums.cancelledUnits / clicks,
      lagMeanMs: lagsMs.reduce((sum, lagMs) => sum + lagMs, 0) / lagsMs.length,
      lagP50Ms: quantile(lagsMs, 0.5),
      lagP99Ms: quantile(lagsMs, 0.99),
      invocationMs: runningMs / batches,
      meanConcurrency: runningMs / (this.#untilMs - this.#fromMs),
      maxConcurrency: this.#maxActive,
      problems: [...this.#problems, ...compareCounts(sentByCode, items)],
    };
  }
}

function readFailures(answer: unknown): string {
  const { batchItemFailures } = answer as SQSBatchResponse;
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).join(', ');
}

/** A name for each marker that a transaction writes: its item and, on a sheet, the slot. */
function listMarkers(items: TransactWriteItem[]): string[] {
  const markers: string[] = [];
  for (const { Put, Update } of items) {
    if (Put) markers.push(textOf(Put.Item.PK));
    const sheet = textOf(Update?.Key.PK);
    if (!sheet.startsWith('CLICKS#')) continue;
    for (const [, slot] of Update?.UpdateExpression?.matchAll(/\b([a-m]\d) =/g) ?? []) {
      markers.push(`${sheet} ${slot}`);
    }
  }
  return markers;
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
