import { type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import type { Entry, Outcome } from './entry.ts';
import { CommitDeadlineError } from './errors.ts';
import { packEntries } from './pack.ts';
import { buildTransaction, type TableSchema, type Transaction } from './transaction.ts';
import { judgeError, type Verdict } from './verdict.ts';

const firstBackoffMs = 20;
const maxBackoffMs = 1_000;

/** Transactions in flight at once; the SDK's own limit is 50 sockets. */
const maxLanes = 8;

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
  const lanes = packEntries(entries);
  const runLanes = async () => {
    for (let lane = lanes.shift(); lane; lane = lanes.shift()) {
      for (const together of lane) await commitTogether(options, together, outcomes);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxLanes, lanes.length) }, runLanes));
}

async function commitTogether(
  options: CommitOptions,
  entries: Entry[],
  outcomes: Map<Entry, Outcome>,
): Promise<void> {
  if (entries.length === 0) return;
  const verdict = await commitTransaction(options, entries);
  switch (verdict.kind) {
    case 'committed':
      for (const entry of entries) outcomes.set(entry, verdict);
      return;
    case 'peel': {
      for (const [entry, outcome] of verdict.outcomes) outcomes.set(entry, outcome);
      const rest = entries.filter((entry) => !verdict.outcomes.has(entry));
      return commitTogether(options, rest, outcomes);
    }
    case 'replace':
      for (const entry of verdict.expired) entry.mayReplace = true;
      return commitTogether(options, entries, outcomes);
    case 'part': {
      const others = entries.filter((entry) => !verdict.contended.has(entry));
      await commitTogether(options, others, outcomes);
      return commitTogether(options, [...verdict.contended], outcomes);
    }
    case 'halve':
      if (entries.length > 1) {
        const middle = entries.length >> 1;
        await commitTogether(options, entries.slice(0, middle), outcomes);
        return commitTogether(options, entries.slice(middle), outcomes);
      }
  }
  for (const entry of entries) outcomes.set(entry, verdict.error);
}

// The same transaction with the same token until it is decided: where a commit's answer was lost,
// DynamoDB answers it again instead of calling it a duplicate.
async function commitTransaction(
  options: CommitOptions,
  entries: Entry[],
): Promise<{ kind: 'committed' } | Exclude<Verdict, { kind: 'retry' }>> {
  const deadlineMs = Math.min(...entries.map((entry) => entry.deadlineMs));
  const transaction = buildTransaction(options, entries, Date.now());
  const token = options.newToken();
  for (let attempt = 0, cause: unknown; ; attempt++) {
    const remainingMs = deadlineMs - Date.now();
    if (remainingMs <= 0) {
      const error = new CommitDeadlineError('not committed before the deadline', { cause });
      return { kind: 'fail', error };
    }
    try {
      await send(options.client, transaction, token, remainingMs);
      return { kind: 'committed' };
    } catch (error) {
      cause = error;
    }
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const verdict = judgeError(error, transaction, Date.now());
    if (verdict.kind !== 'retry') return verdict;
    await backOff(attempt, options.random, deadlineMs - Date.now());
  }
}

async function send(
  client: DynamoDBClient,
  { items }: Transaction,
  token: string,
  remainingMs: number,
): Promise<void> {
  const command = new TransactWriteItemsCommand({
    TransactItems: items,
    ClientRequestToken: token,
  });
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), remainingMs);
  try {
    await client.send(command, { abortSignal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

// Full jitter: a wait anywhere below a doubling ceiling keeps contenders apart.
function backOff(attempt: number, random: () => number, remainingMs: number): Promise<void> {
  const ceilingMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempt);
  const delayMs = Math.min(random() * ceilingMs, Math.max(0, remainingMs));
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
