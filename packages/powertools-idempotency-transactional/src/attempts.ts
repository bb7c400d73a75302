import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Entry, Outcome } from './entry.ts';
import { addFailure, lateError } from './failures.ts';
import { sendTransaction } from './send.ts';
import { buildTransaction, type Transaction } from './transaction.ts';
import { isConflict, judgeError, settleAll, type Verdict } from './verdict.ts';

const firstBackoffMs = 20;
/** Throttling can last for seconds. A conflicting transaction takes tens of milliseconds. */
const maxBackoffMs = 1_000;
const maxConflictBackoffMs = 200;
/**
 * An upper estimate for a transaction of 100 items, whose median is 58 ms:
 * https://github.com/alexdebrie/dynamodb-performance-testing#results
 */
const transactionMs = 80;

export interface CommitOptions {
  client: DynamoDBClient;
  /** Returns a number from 0 up to, but not including, 1. */
  random: () => number;
  /** Returns a new ClientRequestToken of at most 36 characters. */
  newToken: () => string;
}

export type Settle = (entry: Entry, outcome: Outcome) => void;

/** The next attempt to commit entries in one transaction. */
interface Attempt {
  entries: Entry[];
  /** Kept while the entries stay the same, because DynamoDB repeats a lost answer for a known token. */
  request?: { transaction: Transaction; token: string };
  retries: number;
  notBeforeMs: number;
}

function firstAttempt(entries: Entry[]): Attempt {
  return { entries, retries: 0, notBeforeMs: 0 };
}

// A transaction in backoff doesn't occupy a request slot, and the rest of its series goes first. After a
// conflict, it all waits: probably another batch is writing the same items, also in a series.
export async function commitSeries(
  options: CommitOptions,
  series: Entry[][],
  limit: (attempt: () => Promise<Verdict>) => Promise<Verdict>,
  settle: Settle,
): Promise<void> {
  const attempts = series.map((entries) => firstAttempt(entries));
  let resumeMs = 0;
  for (let attempt = attempts.shift(); attempt; attempt = attempts.shift()) {
    const isInTime = resumeMs + transactionMs < deadlineOf(attempt);
    const waitMs = Math.max(attempt.notBeforeMs, isInTime ? resumeMs : 0) - Date.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const verdict = await limit(() => makeAttempt(options, attempt));
    const remaining = applyVerdict(options, attempt, verdict, settle);
    if (['retry', 'split'].includes(verdict.kind) && isConflict(lastErrorOf(attempt))) {
      const restMs = Math.min(maxBackoffMs, attempts.length * transactionMs);
      resumeMs = Date.now() + (restMs * (1 + options.random())) / 2;
    }
    // What was learned about a set's members is soon out of date.
    if (verdict.kind === 'peel') attempts.unshift(...remaining);
    else attempts.push(...remaining);
    attempts.sort((a, b) => a.notBeforeMs - b.notBeforeMs);
  }
}

async function makeAttempt(options: CommitOptions, attempt: Attempt): Promise<Verdict> {
  const { entries } = attempt;
  const nowMs = Date.now();
  const deadlineMs = deadlineOf(attempt);
  if (deadlineMs <= nowMs) return settleAll(entries, lateError);
  attempt.request ??= {
    transaction: buildTransaction(entries, nowMs),
    token: options.newToken(),
  };
  const { transaction, token } = attempt.request;
  try {
    await sendTransaction(options.client, transaction, token, deadlineMs);
    return settleAll(entries, () => ({ kind: 'committed' }));
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error));
    addFailure(entries, thrown);
    return judgeError(thrown, transaction, Date.now());
  }
}

/** Settles what a verdict settles. Returns the attempts that are left for the others. */
function applyVerdict(
  { random }: CommitOptions,
  attempt: Attempt,
  verdict: Verdict,
  settle: Settle,
): Attempt[] {
  const { entries } = attempt;
  switch (verdict.kind) {
    case 'retry':
      return [backOff(attempt, random)];
    case 'peel': {
      for (const [entry, outcome] of verdict.outcomes) settle(entry, outcome);
      for (const [entry, marker] of verdict.markers) entry.marker = marker;
      for (const [action, members] of verdict.members) action.members = members;
      const rest = entries.filter((entry) => !verdict.outcomes.has(entry));
      return rest.length > 0 ? [firstAttempt(rest)] : [];
    }
    case 'split': {
      const others = entries.filter((entry) => !verdict.contended.has(entry));
      const contended = { ...attempt, entries: [...verdict.contended], request: undefined };
      return [firstAttempt(others), backOff(contended, random)];
    }
    case 'bisect': {
      const middle = entries.length >> 1;
      return [entries.slice(0, middle), entries.slice(middle)].map((half) => firstAttempt(half));
    }
  }
}

const lastErrorOf = ({ entries }: Attempt) => entries[0]?.failures.last;

// Full jitter: random waits below a ceiling that doubles keep contenders apart.
function backOff(attempt: Attempt, random: () => number): Attempt {
  const maxMs = isConflict(lastErrorOf(attempt)) ? maxConflictBackoffMs : maxBackoffMs;
  const ceilingMs = Math.min(maxMs, firstBackoffMs * 2 ** attempt.retries);
  const notBeforeMs = Math.min(Date.now() + random() * ceilingMs, deadlineOf(attempt));
  return { ...attempt, retries: attempt.retries + 1, notBeforeMs };
}

// An entry whose own deadline has passed stays in the transaction, because without it the others would
// need a new token and could meet markers of their own.
function deadlineOf({ entries }: Attempt): number {
  return Math.max(...entries.map(({ deadlineMs }) => deadlineMs));
}
