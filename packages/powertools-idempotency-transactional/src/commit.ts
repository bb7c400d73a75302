import { type CommitOptions, commitSeries, type Settle } from './attempts.ts';
import type { Entry, Outcome } from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import { lateError } from './failures.ts';
import { groupBy } from './group-by.ts';
import { maxRequests, packEntries } from './pack.ts';
import { hashOfSlot } from './sheet.ts';
import { type Turn, takeTurns } from './turns.ts';

/** At most this many payloads of one key are tried in a batch, one after another. */
const maxPayloadsPerKey = 3;

/** An entry is settled this long after its deadline, if its transaction is still tried for others. */
const graceMs = 100;
const maxTimerMs = 2 ** 31 - 1;

/**
 * Commits entries. Returns the outcome of each, in their order. Outcomes don't wait for each other,
 * because entries of other invocations can have later deadlines. They never reject.
 *
 * README.md in this folder shows how they become transactions.
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
  runTurns(options, unsettled, settle).catch((error) => {
    for (const entry of unsettled.keys()) settle(entry, error);
  });
  return outcomes;
}

// Rejects with the reason for the entries that are left.
async function runTurns(
  options: CommitOptions,
  unsettled: ReadonlyMap<Entry, unknown>,
  settle: Settle,
): Promise<void> {
  const byKey = groupBy([...unsettled.keys()], ({ idempotencyKey }) => idempotencyKey);
  const alikeOf = ({ idempotencyKey }: Entry) => byKey.get(idempotencyKey) ?? [];
  const failed = new Map<Entry, Error>();
  const settleAlike: Settle = (leader, outcome) => {
    const alike = alikeOf(leader);
    for (const entry of alike) {
      const own = entry === leader ? outcome : outcomeOfRepeat(entry, leader, outcome);
      if (own instanceof Error) failed.set(entry, own);
      else if (own) settle(entry, own);
    }
    // If the same payload is committed later, with other effects, these are duplicates of it.
    const same = alike.filter(({ payloadHash }) => payloadHash === leader.payloadHash);
    if (same.some((entry) => unsettled.has(entry) && !failed.has(entry))) return;
    for (const entry of same) settleFailed(entry);
  };
  const settleFailed = (entry: Entry) => {
    const error = failed.get(entry);
    if (error) settle(entry, error);
  };
  const isWaiting = (leader: Entry) => alikeOf(leader).some((entry) => unsettled.has(entry));
  // Payloads of one key wait for each other, so they fail for the same reasons.
  for (const alike of byKey.values()) for (const entry of alike) entry.failures = alike[0].failures;
  const limit = limitTo(maxRequests);
  const run = async (turns: Turn[]) => {
    for (const turn of turns) {
      const packed = packEntries(turn.filter(isWaiting));
      await Promise.all(packed.map((series) => commitSeries(options, series, limit, settleAlike)));
    }
  };
  const leaders = chooseLeaders([...byKey.values()], options.random);
  await Promise.all(takeTurns(leaders).map(run));
  for (const entry of failed.keys()) settleFailed(entry);
  if (unsettled.size === 0) return;
  throw new CommitRejectedError(
    `expected at most ${maxPayloadsPerKey} payloads of one key in a batch; got more, so this one was not tried`,
  );
}

// Each payload has a leader. The first payload of each key comes first.
function chooseLeaders(groups: [Entry, ...Entry[]][], random: () => number): Entry[] {
  const leadersOf = groups.map((alike) =>
    alike.length === 1 ? alike : [...groupBy(alike, describe).values()].map(chooseLeader),
  );
  // In a fixed order, three payloads could block another one of their key in every delivery.
  const others = leadersOf.flatMap(([, ...rest]) => {
    const ranked = rest.map((leader) => ({ leader, rank: random() }));
    ranked.sort((a, b) => a.rank - b.rank);
    return ranked.slice(0, maxPayloadsPerKey - 1).map(({ leader }) => leader);
  });
  return [...leadersOf.flatMap((leaders) => leaders.slice(0, 1)), ...others];
}

/** The payload as far as its hash shows, and its effects. Entries that have both in common fail alike. */
function describe({ payloadHash, actions }: Entry): string {
  const effects = actions.map((action) => [
    action.itemId,
    action.kind === 'increment' ? action.increments : action.request,
  ]);
  const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
  return `${payloadHash} ${JSON.stringify(effects, toText)}`;
}

// The first entry leads, unless another one has more time. Deadlines of one batch differ by milliseconds.
function chooseLeader(samePayload: [Entry, ...Entry[]]): Entry {
  return samePayload.reduce((leader, entry) =>
    entry.deadlineMs > leader.deadlineMs + graceMs ? entry : leader,
  );
}

// A repeat of a committed entry is a duplicate. A repeat of a failed entry shares its failure, unless
// its payload or its effects differ. Then it's tried separately in a later turn.
function outcomeOfRepeat(entry: Entry, leader: Entry, outcome: Outcome): Outcome | undefined {
  const { payloadHash, response } = leader;
  if (outcome instanceof Error) return describe(entry) === describe(leader) ? outcome : undefined;
  if (outcome.kind === 'committed') return { kind: 'duplicate', payloadHash, response };
  const { slotValue } = outcome;
  if (!slotValue) return outcome;
  return { ...outcome, payloadHash: hashOfSlot(slotValue, entry.payloadHash) };
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
