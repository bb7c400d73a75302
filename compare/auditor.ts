import { linkKey } from '../lib/keys.ts';
import { clickDay, type PlannedClick } from './plan.ts';
import type { Item } from './table.ts';

/** What the auditor sees: what was sent, and what is there at the end. */
export type Evidence = {
  /** The clicks that must be counted, once each. */
  clicks: PlannedClick[];
  /** Messages that nothing may come of; they must be kept as they were. */
  uncountable: string[];
  deadLetters: string[];
};

export type Findings = {
  expected: number;
  counted: number;
  lost: number;
  doubled: number;
  deadLettered: number;
};

/** How often something was counted, by what it was counted for. */
type Tally = Map<string, number>;

/** Judges the counts that the table holds: each link's sum, and each link's day. */
export function auditCounts(evidence: Evidence, items: Item[]): Findings {
  const expected = tally(evidence.clicks.map(({ code }) => linkKey(code).PK));
  const documents = items.filter(({ SK }) => String(SK).startsWith('CLICK#'));
  const sums =
    documents.length > 0 ? [countDocuments(documents)] : [readSums(items), readDays(items)];
  const dead = tally(findDead(evidence).map(({ code }) => linkKey(code).PK));
  return combine(
    evidence,
    sums.map((counted) => compare(expected, counted, dead)),
  );
}

/** Judges the charges that the payment API made, click by click. */
export function auditCharges(evidence: Evidence, charges: Tally): Findings {
  const expected = tally(evidence.clicks.map(({ clickId }) => clickId));
  const dead = tally(findDead(evidence).map(({ clickId }) => clickId));
  return combine(evidence, [compare(expected, charges, dead)]);
}

function compare(expected: Tally, counted: Tally, dead: Tally) {
  const result = { counted: 0, lost: 0, doubled: 0 };
  for (const key of new Set([...expected.keys(), ...counted.keys()])) {
    const surplus = (counted.get(key) ?? 0) - (expected.get(key) ?? 0);
    result.counted += counted.get(key) ?? 0;
    result.doubled += Math.max(0, surplus);
    // What the dead-letter queue keeps is not lost.
    result.lost += Math.max(0, -surplus - (dead.get(key) ?? 0));
  }
  return result;
}

// A click is right when its link's sum and its day's count are; the worse of the two is told.
function combine(evidence: Evidence, views: ReturnType<typeof compare>[]): Findings {
  const [first = { counted: 0, lost: 0, doubled: 0 }] = views;
  const gone = evidence.uncountable.filter((body) => !evidence.deadLetters.includes(body));
  return {
    expected: evidence.clicks.length,
    counted: first.counted,
    lost: Math.max(...views.map(({ lost }) => lost)) + gone.length,
    doubled: Math.max(...views.map(({ doubled }) => doubled)),
    deadLettered: findDead(evidence).length,
  };
}

function findDead({ clicks, deadLetters }: Evidence): PlannedClick[] {
  const texts = deadLetters.filter((body) => body.includes('"clickId"'));
  return clicks.filter(({ clickId }) => texts.some((body) => body.includes(`"${clickId}"`)));
}

function readSums(items: Item[]): Tally {
  const links = items.filter(({ SK }) => SK === linkKey('').SK);
  return new Map(links.map(({ PK, clicks }) => [String(PK), Number(clicks)]));
}

function readDays(items: Item[]): Tally {
  const days = items.filter(({ SK }) => SK === `STAT#${clickDay}`);
  return new Map(days.map(({ PK, count }) => [String(PK), Number(count)]));
}

function countDocuments(documents: Item[]): Tally {
  return tally(documents.map(({ PK }) => String(PK)));
}

function tally(keys: string[]): Tally {
  const counts: Tally = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
