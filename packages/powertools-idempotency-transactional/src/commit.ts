import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pLimit, { type LimitFunction } from 'p-limit';
import { chainEntries } from './chain.ts';
import type { Committed, Duplicate, Entry, Marker, Outcome } from './entry.ts';
import { CommitDeadlineError, CommitRejectedError } from './errors.ts';
import { Failures } from './failures.ts';
import { groupBy } from './group-by.ts';
import { maxRequests, packEntries } from './pack.ts';
import { sendTransaction } from './send.ts';
import { hashOfSlot } from './sheet.ts';
import { buildTransaction, type Transaction } from './transaction.ts';
import { isConflict, judgeError, type Verdict } from './verdict.ts';

const firstBackoffMs = 20;
/** Throttling can last for seconds. A conflicting transaction takes tens of milliseconds. */
const maxBackoffMs = 1_000;
const maxConflictBackoffMs = 200;

/** At most this many payloads of one key are tried in a batch, one after another. */
const maxPayloadsPerKey = 3;

interface CommitOptions {
  client: DynamoDBClient;
  /** Returns a number from 0 up to, but not including, 1. */
  random: () => number;
  /** Returns a new ClientRequestToken of at most 36 characters. */
  newToken: () => string;
}

/** An entry is given up this long after its deadline, if a request for others still holds it up. */
const graceMs = 100;

type Settle = (entry: Entry, outcome: Outcome) => void;

/**
 * Commits entries. Returns the outcome of each, in their order. Outcomes don't wait for each other,
 * because entries of other invocations may have later deadlines. They never reject.
 */
export function commitEntries(options: CommitOptions, entries: Entry[]): Promise<Outcome>[] {
  const unsettled = new Map<Entry, (outcome: Outcome) => void>();
  const outcomes = entries.map(
    (entry) => new Promise<Outcome>((resolve) => unsettled.set(entry, resolve)),
  );
  const settle: Settle = (entry, outcome) => {
    unsettled.get(entry)?.(outcome);
    unsettled.delete(entry);
    if (unsettled.size === 0) for (const timer of timers) clearTimeout(timer);
  };
  const timers = [...groupBy(entries, ({ deadlineMs }) => deadlineMs)].map(([deadlineMs, late]) =>
    setTimeout(
      () => {
        for (const entry of late) settle(entry, new CommitDeadlineError(lateMessage('no answer')));
      },
      deadlineMs + graceMs - Date.now(),
    ),
  );
  const settleRest = (outcome: Outcome) => {
    for (const entry of [...unsettled.keys()]) settle(entry, outcome);
  };
  commitInRounds(options, unsettled, settle).then(() => settleRest(skip()), settleRest);
  return outcomes;
}

// Payloads of one key are committed one after another.
async function commitInRounds(
  options: CommitOptions,
  unsettled: ReadonlyMap<Entry, unknown>,
  settle: Settle,
): Promise<void> {
  for (let round = 1; round <= maxPayloadsPerKey && unsettled.size > 0; round += 1) {
    const waiting = [...unsettled.keys()];
    // In a fixed order, three payloads could block another one of their key in every delivery.
    const candidates = round === 1 ? waiting : shuffle(waiting, options.random);
    const byKey = groupBy(candidates, ({ idempotencyKey }) => idempotencyKey);
    const leaders = [...byKey.values()].flatMap(([leader]) => leader ?? []);
    await commitDistinct(options, leaders, ({ idempotencyKey: key }, outcome) => {
      const [leader, ...repeats] = byKey.get(key) ?? [];
      if (!leader) return;
      settle(leader, outcome);
      for (const repeat of repeats) {
        const own = outcomeOfRepeat(repeat, leader, outcome);
        if (own) settle(repeat, own);
      }
    });
  }
}

function shuffle(entries: Entry[], random: () => number): Entry[] {
  const ranks = new Map(entries.map((entry) => [entry, random()]));
  return entries.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

function skip(): CommitRejectedError {
  return new CommitRejectedError(
    `expected at most ${maxPayloadsPerKey} payloads of one key in a batch; got more, so this one was not tried`,
  );
}

// A repeat of a committed entry is a duplicate. A repeat of a failed entry shares its failure, unless
// it has another payload, or more time than the entry had. Then it's tried in the next round.
function outcomeOfRepeat(repeat: Entry, leader: Entry, outcome: Outcome): Outcome | undefined {
  if (!(outcome instanceof Error)) return toDuplicate(repeat, leader, outcome);
  const hasMoreTime =
    outcome instanceof CommitDeadlineError && repeat.deadlineMs > leader.deadlineMs;
  return repeat.payloadHash === leader.payloadHash && !hasMoreTime ? outcome : undefined;
}

function toDuplicate(entry: Entry, leader: Entry, outcome: Committed | Duplicate): Duplicate {
  if (outcome.kind === 'committed') {
    const { payloadHash, response } = leader;
    return { kind: 'duplicate', payloadHash, ...(response !== undefined && { response }) };
  }
  const { slotValue } = outcome;
  if (!slotValue) return outcome;
  return { ...outcome, payloadHash: hashOfSlot(slotValue, entry.payloadHash) };
}

// All of these entries have different keys.
async function commitDistinct(
  options: CommitOptions,
  entries: Entry[],
  settle: Settle,
): Promise<void> {
  const limit = pLimit(maxRequests);
  const commitChain = async (steps: Entry[][]) => {
    for (const step of steps) {
      const series = packEntries(step).map((each) => commitSeries(options, each, limit, settle));
      await Promise.all(series);
    }
  };
  await Promise.all(chainEntries(entries).map(commitChain));
}

/** The next attempt to commit entries in one transaction. */
interface Attempt {
  entries: Entry[];
  /** Kept while the entries stay the same, because DynamoDB repeats a lost answer for a known token. */
  request?: { transaction: Transaction; token: string };
  retries: number;
  notBeforeMs: number;
  /** Why earlier attempts for these entries failed. */
  failures: Failures;
}

function firstAttempt(entries: Entry[], failures = new Failures()): Attempt {
  return { entries, retries: 0, notBeforeMs: 0, failures };
}

// A transaction in backoff doesn't occupy a request slot, and the rest of its series goes first.
async function commitSeries(
  options: CommitOptions,
  series: Entry[][],
  limit: LimitFunction,
  settle: Settle,
): Promise<void> {
  const attempts = series.map((entries) => firstAttempt(entries));
  while (attempts.length > 0) {
    attempts.sort((a, b) => a.notBeforeMs - b.notBeforeMs);
    const attempt = attempts.shift();
    if (!attempt) break;
    const waitMs = attempt.notBeforeMs - Date.now();
    if (waitMs > 0) await sleep(waitMs);
    const verdict = await limit(() => makeAttempt(options, attempt));
    const { settled = [], remaining = [] } = applyVerdict(options, attempt, verdict);
    for (const [entry, outcome] of settled) settle(entry, outcome);
    attempts.push(...remaining);
  }
}

/** Sends an attempt's transaction once. */
async function makeAttempt(options: CommitOptions, attempt: Attempt): Promise<Verdict | Committed> {
  const { entries, failures } = attempt;
  const nowMs = Date.now();
  const late = entries.filter(({ deadlineMs }) => deadlineMs <= nowMs);
  if (late.length > 0) {
    const error = new CommitDeadlineError(lateMessage(failures.describe()), {
      cause: failures.last,
    });
    return {
      kind: 'peel',
      outcomes: new Map(late.map((entry) => [entry, error])),
      markers: new Map(),
    };
  }
  attempt.request ??= {
    transaction: buildTransaction(entries, nowMs),
    token: options.newToken(),
  };
  const { transaction, token } = attempt.request;
  try {
    await sendTransaction(options.client, transaction, token, deadlineOf(attempt));
    return { kind: 'committed' };
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error));
    failures.add(thrown);
    return judgeError(thrown, transaction, Date.now());
  }
}

/** The entries that a verdict settles, and the attempts that are left for the others. */
interface Progress {
  settled?: Iterable<[Entry, Outcome]>;
  remaining?: Attempt[];
}

function applyVerdict(
  { random }: CommitOptions,
  attempt: Attempt,
  verdict: Verdict | Committed,
): Progress {
  const { entries, failures, retries } = attempt;
  const settleAll = (outcome: Outcome): Progress => ({
    settled: entries.map((entry) => [entry, outcome]),
  });
  switch (verdict.kind) {
    case 'committed':
      return settleAll(verdict);
    case 'fail':
      return settleAll(verdict.error);
    case 'retry':
      return { remaining: [backOff(attempt, random)] };
    case 'peel': {
      const { outcomes, markers } = verdict;
      const rest = entries
        .filter((entry) => !outcomes.has(entry))
        .map((entry) => withMarker(entry, markers.get(entry)));
      return {
        settled: outcomes,
        remaining: rest.length > 0 ? [firstAttempt(rest, failures)] : [],
      };
    }
    case 'split': {
      const others = entries.filter((entry) => !verdict.contended.has(entry));
      const contended = { ...firstAttempt([...verdict.contended], failures.copy()), retries };
      return { remaining: [firstAttempt(others, failures), backOff(contended, random)] };
    }
    case 'bisect': {
      if (entries.length === 1) return settleAll(verdict.error);
      const middle = entries.length >> 1;
      const halves = [
        firstAttempt(entries.slice(0, middle), failures),
        firstAttempt(entries.slice(middle), failures.copy()),
      ];
      return { remaining: halves };
    }
  }
}

function lateMessage(causes: string): string {
  return `not committed before the deadline: ${causes}`;
}

function withMarker(entry: Entry, marker: Marker | undefined): Entry {
  return marker ? { ...entry, marker } : entry;
}

// Full jitter: random waits below a ceiling that doubles keep contenders apart.
function backOff(attempt: Attempt, random: () => number): Attempt {
  const maxMs = isConflict(attempt.failures.last) ? maxConflictBackoffMs : maxBackoffMs;
  const ceilingMs = Math.min(maxMs, firstBackoffMs * 2 ** attempt.retries);
  const notBeforeMs = Math.min(Date.now() + random() * ceilingMs, deadlineOf(attempt));
  return { ...attempt, retries: attempt.retries + 1, notBeforeMs };
}

function deadlineOf({ entries }: Attempt): number {
  return Math.min(...entries.map(({ deadlineMs }) => deadlineMs));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
