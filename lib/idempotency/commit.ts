import { type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Entry, Outcome } from './entry.ts';
import { CommitDeadlineError } from './errors.ts';
import { packEntries } from './pack.ts';
import { buildTransaction, type TableSchema, type Transaction } from './transaction.ts';
import { judgeError, type Verdict } from './verdict.ts';

const firstBackoffMs = 20;
const maxBackoffMs = 1_000;

/** Requests in flight at once; the SDK's own limit is 50 sockets. */
const maxRequests = 8;

/** A request without a whole answer is given up while there is time for another. */
const maxRequestMs = 2_000;

export interface CommitOptions extends TableSchema {
  client: DynamoDBClient;
  /** From 0 up to 1; for the jitter. */
  random: () => number;
  /** A fresh ClientRequestToken, 36 characters at most. */
  newToken: () => string;
}

/** Commits all entries and gives each its own outcome, in their order. Never rejects. */
export async function commitEntries(options: CommitOptions, entries: Entry[]): Promise<Outcome[]> {
  const outcomes = new Map<Entry, Outcome>();
  let waiting = entries;
  while (waiting.length > 0) {
    const leaders = new Map<string, Entry>();
    for (const entry of waiting) {
      if (!leaders.has(entry.idempotencyKey)) leaders.set(entry.idempotencyKey, entry);
    }
    await commitDistinct(options, [...leaders.values()], outcomes);
    for (const entry of waiting) settleRepeat(entry, leaders.get(entry.idempotencyKey), outcomes);
    waiting = waiting.filter((entry) => !outcomes.has(entry));
  }
  return entries.map((entry) => outcomes.get(entry) ?? new Error('expected an outcome; got none'));
}

// A repeat of what was committed is a duplicate. A repeat of what failed shares its failure, unless
// its payload differs: then it is left for another round, to be tried for itself.
function settleRepeat(entry: Entry, leader: Entry | undefined, outcomes: Map<Entry, Outcome>) {
  const outcome = leader && outcomes.get(leader);
  if (!outcome || outcomes.has(entry)) return;
  if (!(outcome instanceof Error)) {
    const marker = outcome.kind === 'duplicate' ? outcome.marker : leader.marker;
    outcomes.set(entry, { kind: 'duplicate', marker });
  } else if (leader.payloadHash === entry.payloadHash) {
    outcomes.set(entry, outcome);
  }
}

async function commitDistinct(
  options: CommitOptions,
  entries: Entry[],
  outcomes: Map<Entry, Outcome>,
): Promise<void> {
  const limit = pLimit(maxRequests);
  const lanes = packEntries(entries);
  await Promise.all(lanes.map((lane) => runLane(options, lane, outcomes, limit)));
}

/** One transaction on its way, and how often it was tried. */
interface Turn {
  entries: Entry[];
  /** Kept while the entries do: where a commit's answer was lost, the token gets it again. */
  sent?: { transaction: Transaction; token: string };
  attempts: number;
  notBeforeMs: number;
  /** Why the last attempt failed. */
  cause?: unknown;
}

const newTurn = (entries: Entry[]): Turn => ({ entries, attempts: 0, notBeforeMs: 0 });

// What has to wait lets the rest of its lane go first, and takes no place among the requests.
async function runLane(
  options: CommitOptions,
  lane: Entry[][],
  outcomes: Map<Entry, Outcome>,
  limit: LimitFunction,
): Promise<void> {
  const turns = lane.map(newTurn);
  while (turns.length > 0) {
    const nextMs = Math.min(...turns.map(({ notBeforeMs }) => notBeforeMs));
    const [turn] = turns.splice(
      turns.findIndex(({ notBeforeMs }) => notBeforeMs === nextMs),
      1,
    );
    if (!turn) return;
    if (nextMs > Date.now()) await sleep(nextMs - Date.now());
    const verdict = await limit(() => takeTurn(options, turn));
    turns.push(...follow(options, turn, verdict, outcomes));
  }
}

/** Sends a turn's transaction once. */
async function takeTurn(
  options: CommitOptions,
  turn: Turn,
): Promise<Verdict | { kind: 'committed' }> {
  const remainingMs = deadlineOf(turn) - Date.now();
  if (remainingMs <= 0) {
    const { cause } = turn;
    return {
      kind: 'fail',
      error: new CommitDeadlineError('not committed before the deadline', { cause }),
    };
  }
  turn.sent ??= {
    transaction: buildTransaction(options, turn.entries, Date.now()),
    token: options.newToken(),
  };
  const { transaction, token } = turn.sent;
  try {
    await send(options.client, transaction, token, Math.min(remainingMs, maxRequestMs));
    return { kind: 'committed' };
  } catch (error) {
    turn.cause = error;
    const thrown = error instanceof Error ? error : new Error(String(error));
    return judgeError(thrown, transaction, Date.now());
  }
}

/** Settles what a verdict settles, and gives the turns that are left to take. */
function follow(
  options: CommitOptions,
  turn: Turn,
  verdict: Verdict | { kind: 'committed' },
  outcomes: Map<Entry, Outcome>,
): Turn[] {
  const { entries } = turn;
  switch (verdict.kind) {
    case 'committed':
      for (const entry of entries) outcomes.set(entry, verdict);
      return [];
    case 'retry':
      return [postpone(turn, options.random)];
    case 'peel': {
      for (const [entry, outcome] of verdict.outcomes) outcomes.set(entry, outcome);
      const rest = entries.filter((entry) => !verdict.outcomes.has(entry));
      return rest.length > 0 ? [newTurn(rest)] : [];
    }
    case 'replace':
      for (const entry of verdict.expired) entry.mayReplace = true;
      return [newTurn(entries)];
    case 'part': {
      const others = entries.filter((entry) => !verdict.contended.has(entry));
      const contended = { ...newTurn([...verdict.contended]), attempts: turn.attempts };
      return [newTurn(others), postpone(contended, options.random)];
    }
    case 'halve':
      if (entries.length > 1) {
        const middle = entries.length >> 1;
        return [newTurn(entries.slice(0, middle)), newTurn(entries.slice(middle))];
      }
  }
  for (const entry of entries) outcomes.set(entry, verdict.error);
  return [];
}

// Full jitter: a wait anywhere below a doubling ceiling keeps contenders apart.
function postpone(turn: Turn, random: () => number): Turn {
  const ceilingMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** turn.attempts);
  const notBeforeMs = Math.min(Date.now() + random() * ceilingMs, deadlineOf(turn));
  return { ...turn, attempts: turn.attempts + 1, notBeforeMs };
}

function deadlineOf({ entries }: Turn): number {
  return Math.min(...entries.map(({ deadlineMs }) => deadlineMs));
}

async function send(
  client: DynamoDBClient,
  { items }: Transaction,
  token: string,
  withinMs: number,
): Promise<void> {
  const command = new TransactWriteItemsCommand({
    TransactItems: items,
    ClientRequestToken: token,
  });
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), withinMs);
  try {
    await client.send(command, { abortSignal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
