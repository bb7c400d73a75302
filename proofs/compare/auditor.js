import { linkKey } from '../../lib/keys.ts';
import { clickDay } from './plan.ts';
/**
 * Audits the counts in the table. A click is exact if its link's total and its day's count both contain it
 * once.
 */
export function auditCounts(evidence, items) {
    const documents = items.filter(({ SK }) => String(SK).startsWith('CLICK#'));
    const tallies = documents.length > 0
        ? [tally(documents.map(({ PK }) => String(PK)))]
        : [readTotals(items), readDays(items)];
    const { clicks, uncountable, deadLetters } = evidence;
    const deadClicks = findDead(evidence);
    const expected = tally(clicks.map(keyOf));
    const dead = tally(deadClicks.map(keyOf));
    const views = tallies.map((counted) => compare(expected, counted, dead));
    // The comparison has already found an invalid click that was counted.
    const gone = uncountable.filter(({ body, click }) => !deadLetters.includes(body) &&
        !(click && tallies.some((counted) => counted.get(keyOf(click)))));
    return {
        lost: Math.max(...views.map(({ lost }) => lost)) + gone.length,
        doubled: Math.max(...views.map(({ doubled }) => doubled)),
        deadLettered: deadClicks.length,
    };
}
const keyOf = ({ code }) => linkKey(code).PK;
function compare(expected, counted, dead) {
    const result = { lost: 0, doubled: 0 };
    for (const key of new Set([...expected.keys(), ...counted.keys()])) {
        const surplus = (counted.get(key) ?? 0) - (expected.get(key) ?? 0);
        result.doubled += Math.max(0, surplus);
        // A dead letter is not lost.
        result.lost += Math.max(0, -surplus - (dead.get(key) ?? 0));
    }
    return result;
}
// A dead letter that had to become one says nothing of the click whose id it carries.
function findDead({ clicks, uncountable, deadLetters }) {
    const rightful = new Set(uncountable.map(({ body }) => body));
    const dead = deadLetters.filter((body) => !rightful.has(body));
    return clicks.filter(({ clickId }) => dead.some((body) => body.includes(`"${clickId}"`)));
}
function readTotals(items) {
    const links = items.filter(({ SK }) => SK === linkKey('').SK);
    return new Map(links.map(({ PK, clicks }) => [String(PK), Number(clicks)]));
}
function readDays(items) {
    const days = items.filter(({ SK }) => SK === `STAT#${clickDay}`);
    return new Map(days.map(({ PK, count }) => [String(PK), Number(count)]));
}
function tally(keys) {
    const counts = new Map();
    for (const key of keys)
        counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
}
