import type { Random } from '../../../fixtures/random.ts';
import { type Detail, visitValues } from './breakdowns.ts';

const otherNames = 10_000;
const longLength = 60_000;
/** The share of clicks with a value of 200 KB. */
const longShare = 0.000_3;
const zonedShare = 0.05;
/** Inherited property names, values of other types, and nearly valid values. */
const hostileValues: unknown[] = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    'Human',
    ' mobile',
    'vh',
    'count',
  ],
  ...[0, 7, true, false, [], ['human'], {}, { human: 1 }, '\u0000', '\ud800', '🙂'],
];
// JSON.parse creates a field where an object literal would set the prototype.
const hostileFields: object[] = [
  JSON.parse('{"__proto__":{"visitor":"bot","device":"tablet","polluted":true}}'),
  { hour: 99 },
  { hour: '03', day: '1999-12-31', count: 5, clicks: 5 },
  { vh: 7, h10: 7 },
  { weather: 'rain' },
];

/** Draws a click's detail without id and link: a time, and known or made-up values. */
export function drawDetail(random: Random, atMs: number): Detail {
  const values = Object.entries(visitValues).map(([name, attributes]) => [
    name,
    drawValue(random, Object.keys(attributes)),
  ]);
  return {
    at: formatInstant(random, atMs),
    ...Object.fromEntries(values),
    ...(random.chance(0.05) && random.pick(hostileFields)),
  };
}

function drawValue(random: Random, listed: readonly string[]): unknown {
  const kind = random.fraction();
  if (kind < 0.6) return random.pick(listed);
  if (kind < 0.75) return undefined;
  if (kind < 0.8) return null;
  if (kind < 0.9) return `name-${random.integer(1, otherNames)}`;
  return kind > 1 - longShare ? 'x'.repeat(longLength) : random.pick(hostileValues);
}

function formatInstant(random: Random, ms: number): string {
  if (!random.chance(zonedShare)) return new Date(ms).toISOString();
  const [zone, minutes] = random.pick([
    ['+05:30', 330],
    ['-08:00', -480],
  ] as const);
  return new Date(ms + minutes * 60_000).toISOString().replace('Z', zone);
}
