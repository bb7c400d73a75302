import { type CommitOptions, commitSeries, type Settle } from './attempts.ts';
import { chainEntries } from './chain.ts';
import type { Entry, Outcome } from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import { lateError } from './failures.ts';
import { groupBy } from './group-by.ts';
import { maxRequests, packEntries } from './pack.ts';
import { hashOfSlot } from './sheet.ts';

/** At most this many payloads of one key are tried in a batch, one after another. */
const maxPayloadsPerKey = 3;

/** An entry is settled this long after its deadline, if its transaction is still tried for others. */
const graceMs = 100;
const maxTimerMs = 2 ** 31 - 1;

/**
 * Commits entries. Returns the outcome of each, in their order. Outcomes don't wait for each other,
 * because entries of other invocations can have later deadlines. They never reject.
 */
export function commitEntries(options: CommitOptions, entries: Entry[]): Promise<Outcome>[] {
  const unsettled = new Map<Entry, (outcome: Outcome) => void>();
  const settle: Settle = (entry, outcome) => {
    unsettled.get(entry)?.(outcome);
    unsettled.delete(entry);
  };
  const nowMs = Date.now();
  const waitForOutcome = (entry: Entry) =>
    new Promise<Outcome>((resolve) => {
      const giveUp = () => settle(entry, lateError(entry));
      const waitMs = Math.max(0, entry.deadlineMs + graceMs - nowMs);
      const timer = setTimeout(giveUp, Math.min(waitMs, maxTimerMs));
      unsettled.set(entry, (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      });
    });
  const outcomes = entries.map(waitForOutcome);
  for (const entry of entries) {
    if (entry.deadlineMs <= nowMs) settle(entry, lateError(entry));
  }
  commitInRounds(options, unsettled, settle).catch((error) => {
    for (const entry of unsettled.keys()) settle(entry, error);
  });
  return outcomes;
}

// Payloads of one key are committed one after another. Rejects with the reason for those that are left.
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
    const leaders = new Map([...byKey].map(([key, alike]) => [key, chooseLeader(alike)]));
    // The others wait for their leader.
    for (const [key, { failures }] of leaders) {
      for (const entry of byKey.get(key) ?? []) entry.failures = failures;
    }
    await commitDistinct(options, [...leaders.values()], ({ idempotencyKey: key }, outcome) => {
      const leader = leaders.get(key);
      for (const entry of byKey.get(key) ?? []) {
        const isRepeat = leader && entry !== leader;
        const own = isRepeat ? outcomeOfRepeat(entry, leader, outcome) : outcome;
        if (own) settle(entry, own);
      }
    });
  }
  if (unsettled.size === 0) return;
  throw new CommitRejectedError(
    `expected at most ${maxPayloadsPerKey} payloads of one key in a batch; got more, so this one was not tried`,
  );
}

// The first entry leads, unless another one of its payload has more time. Deadlines of one batch differ
// by milliseconds.
function chooseLeader(entries: [Entry, ...Entry[]]): Entry {
  return entries.reduce((leader, entry) =>
    entry.payloadHash === leader.payloadHash && entry.deadlineMs > leader.deadlineMs + graceMs
      ? entry
      : leader,
  );
}

function shuffle(entries: Entry[], random: () => number): Entry[] {
  const ranked = entries.map((entry) => ({ entry, rank: random() }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

// A repeat of a committed entry is a duplicate. A repeat of a failed entry shares its failure, unless
// its payload differs. Then it's tried separately in the next round.
function outcomeOfRepeat(entry: Entry, leader: Entry, outcome: Outcome): Outcome | undefined {
  const { payloadHash, response } = leader;
  if (outcome instanceof Error) return entry.payloadHash === payloadHash ? outcome : undefined;
  if (outcome.kind === 'committed') return { kind: 'duplicate', payloadHash, response };
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
  const limit = limitTo(maxRequests);
  const commitChain = async (steps: Entry[][]) => {
    for (const step of steps) {
      const series = packEntries(step).map((each) => commitSeries(options, each, limit, settle));
      await Promise.all(series);
    }
  };
  await Promise.all(chainEntries(entries).map(commitChain));
}

/** Makes a function that runs at most this many tasks at once. */
function limitTo(free: number) {
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free-- <= 0) await new Promise<void>((resolve) => waiting.push(resolve));
    return task().finally(() => {
      free += 1;
      waiting.shift()?.();
    });
  };
}
