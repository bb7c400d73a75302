import { inspect } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { allActionsOf, sharingOf } from './entry.ts';
import type { PendingEntry } from './pending-entry.ts';
import { sendTransaction } from './send.ts';
import { buildTransaction, type Transaction } from './transaction.ts';
import { isConflict, judgeError, judgeRejection, toRejection, type Verdict } from './verdict.ts';

const firstBackoffMs = 20;
/** Throttling can last for seconds. A conflicting transaction takes tens of milliseconds. */
const maxBackoffMs = 1_000;
const maxConflictBackoffMs = 200;

/**
 * An upper estimate for a transaction of 100 items, whose median is 58 ms:
 * https://github.com/alexdebrie/dynamodb-performance-testing#results
 */
export const transactionMs = 80;

export interface CommitOptions {
  client: DynamoDBClient;
  /** Returns a number from 0 up to, but not including, 1. */
  random: () => number;
  /** Returns a new ClientRequestToken of at most 36 characters. */
  newToken: () => string;
  /** The time kept at the end of an entry's time to report failures, in milliseconds; 0 by default. */
  reserveMs?: number;
}

/** Entries that are sent in one transaction until DynamoDB's response decides about them. */
export class Attempt {
  readonly entries: readonly PendingEntry[];
  /** The items that it touches, and how each can be shared. */
  readonly items: ReadonlyMap<string, string | undefined>;
  #notBeforeMs = 0;
  #sentMs: number | undefined;
  #contendedItems: ReadonlySet<string> = new Set();
  #lastError: Error | undefined;
  #retries = 0;
  /** It stays the same, because DynamoDB repeats a lost response for a known token. */
  #request: { transaction: Transaction; token: string } | undefined;

  /** After a previous attempt that met contention, its retries go on counting. */
  constructor(entries: readonly PendingEntry[], previous?: Attempt) {
    this.entries = entries;
    const actions = entries.flatMap(({ entry }) => allActionsOf(entry));
    this.items = new Map(actions.map((action) => [action.itemId, sharingOf(action)]));
    if (!previous) return;
    this.#retries = previous.#retries;
    this.#lastError = previous.#lastError;
  }

  // An entry whose own deadline has passed stays in the transaction, because without it the others would
  // need a new token and could meet markers of their own.
  get deadlineMs(): number {
    return Math.max(...this.entries.map(({ deadlineMs }) => deadlineMs));
  }

  /** Epoch milliseconds: it isn't sent earlier. */
  get notBeforeMs(): number {
    return this.#notBeforeMs;
  }

  /** When it was sent last. Undefined while it isn't in flight. */
  get sentMs(): number | undefined {
    return this.#sentMs;
  }

  /** The items at which it met contention. Until it's sent again, no other transaction touches them. */
  get contendedItems(): ReadonlySet<string> {
    return this.#contendedItems;
  }

  markSent(nowMs: number): void {
    this.#sentMs = nowMs;
  }

  /** Sends it once. Returns what that means for its entries. */
  async send({ client, newToken }: CommitOptions): Promise<Verdict> {
    const nowMs = Date.now();
    const entries = this.entries.map(({ entry }) => entry);
    if (this.deadlineMs <= nowMs) return this.#expire();
    try {
      this.#request ??= { transaction: buildTransaction(entries, nowMs), token: newToken() };
    } catch (error) {
      return judgeRejection(toRejection(toError(error)), entries);
    }
    const { transaction, token } = this.#request;
    try {
      await sendTransaction(client, transaction, token, this.deadlineMs);
      return { kind: 'committed' };
    } catch (error) {
      this.#lastError = toError(error);
      for (const { failures } of this.entries) failures.add(this.#lastError);
      return judgeError(this.#lastError, transaction, Date.now());
    }
  }

  #expire(): Verdict {
    const outcomes = this.entries.map(
      ({ entry, failures }) => [entry, failures.toLateError()] as const,
    );
    return { kind: 'failed', outcomes: new Map(outcomes), changed: new Map() };
  }

  /**
   * Waits before the next request, with full jitter: random waits keep contenders apart. After a conflict,
   * another process is probably writing the same items, also in several transactions. So it waits for about
   * as long as its own side's transactions would take.
   */
  retryLater({ contendedItems, othersMs, random }: Contention): void {
    this.#sentMs = undefined;
    this.#contendedItems = contendedItems;
    const nowMs = Date.now();
    const hasConflict = isConflict(this.#lastError);
    const maxMs = hasConflict ? maxConflictBackoffMs : maxBackoffMs;
    const ceilingMs = Math.min(maxMs, firstBackoffMs * 2 ** this.#retries);
    this.#retries += 1;
    this.#notBeforeMs = Math.min(nowMs + random() * ceilingMs, this.deadlineMs);
    if (!hasConflict) return;
    const restMs = Math.min(maxBackoffMs, othersMs);
    const resumeMs = nowMs + (restMs * (1 + random())) / 2;
    if (resumeMs + transactionMs >= this.deadlineMs) return;
    this.#notBeforeMs = Math.max(this.#notBeforeMs, resumeMs);
  }
}

interface Contention {
  /** Empty after a failure of the whole request. */
  contendedItems: ReadonlySet<string>;
  /** How long the transactions of entries that wait for these items would take, in milliseconds. */
  othersMs: number;
  random: CommitOptions['random'];
}

export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  // Not every object can be converted to a string.
  return new Error(typeof thrown === 'string' ? thrown : inspect(thrown));
}
