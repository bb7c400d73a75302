import pLimit from 'p-limit';
import {
  type CommitOptions,
  commitSeries,
  type Limit,
  lateError,
  type Settle,
} from './attempts.ts';
import { chainEntries } from './chain.ts';
import type { Committed, Duplicate, Entry, Outcome } from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import { groupBy } from './group-by.ts';
import { maxRequests, packEntries } from './pack.ts';
import { hashOfSlot } from './sheet.ts';

/** At most this many payloads of one key are tried in a batch, one after another. */
const maxPayloadsPerKey = 3;

/** An entry is settled this long after its deadline, if its transaction is still tried for others. */
const graceMs = 100;
/** The longest wait of a timer. */
const maxWaitMs = 2 ** 31 - 1;

/**
 * Commits entries. Returns the outcome of each, in their order. Outcomes don't wait for each other,
 * because entries of other invocations can have later deadlines. They never reject.
 */
export function commitEntries(options: CommitOptions, entries: Entry[]): Promise<Outcome>[] {
  const unsettled = new Map<Entry, (outcome: Outcome) => void>();
  const outcomes = entries.map(
    (entry) => new Promise<Outcome>((resolve) => unsettled.set(entry, resolve)),
  );
  const nowMs = Date.now();
  const timers = [...groupBy(entries, ({ deadlineMs }) => deadlineMs)].map(
    ([deadlineMs, alike]) => {
      const giveUp = () => {
        for (const entry of alike) settle(entry, lateError('other payloads are still tried'));
      };
      return setTimeout(giveUp, Math.min(Math.max(0, deadlineMs + graceMs - nowMs), maxWaitMs));
    },
  );
  const settle: Settle = (entry, outcome) => {
    unsettled.get(entry)?.(outcome);
    unsettled.delete(entry);
    if (unsettled.size === 0) for (const timer of timers) clearTimeout(timer);
  };
  const settleRest = (outcome: Outcome) => {
    for (const entry of [...unsettled.keys()]) settle(entry, outcome);
  };
  for (const entry of entries) {
    if (entry.deadlineMs <= nowMs) settle(entry, lateError('no attempt was made'));
  }
  commitInRounds(options, unsettled, settle).then(() => {
    // An error's stack takes time to record.
    if (unsettled.size > 0) settleRest(skip());
  }, settleRest);
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
    const leaders = new Map([...byKey].map(([key, alike]) => [key, chooseLeader(alike)]));
    await commitDistinct(options, [...leaders.values()], ({ idempotencyKey: key }, outcome) => {
      const leader = leaders.get(key);
      for (const entry of byKey.get(key) ?? []) {
        const own = leader && outcomeOf(entry, leader, outcome);
        if (own) settle(entry, own);
      }
    });
  }
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
  const ranks = new Map(entries.map((entry) => [entry, random()]));
  return entries.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

function skip(): CommitRejectedError {
  return new CommitRejectedError(
    `expected at most ${maxPayloadsPerKey} payloads of one key in a batch; got more, so this one was not tried`,
  );
}

// A repeat of a committed entry is a duplicate. A repeat of a failed entry shares its failure, unless
// its payload differs. Then it's tried separately in the next round.
function outcomeOf(entry: Entry, leader: Entry, outcome: Outcome): Outcome | undefined {
  if (entry === leader) return outcome;
  if (!(outcome instanceof Error)) return toDuplicate(entry, leader, outcome);
  return entry.payloadHash === leader.payloadHash ? outcome : undefined;
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
  // A single entry sends one request at a time anyway.
  const limit: Limit = entries.length === 1 ? (send) => send() : pLimit(maxRequests);
  const commitChain = async (steps: Entry[][]) => {
    for (const step of steps) {
      const series = packEntries(step).map((each) => commitSeries(options, each, limit, settle));
      await Promise.all(series);
    }
  };
  await Promise.all(chainEntries(entries).map(commitChain));
}
