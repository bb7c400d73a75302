import type { Random } from '../../tools/random.ts';
import { campaignLetters, type Detail, visitValues } from './breakdowns.ts';

const dayMs = 86_400_000;

/** A time, and known, made-up or missing values. */
export function drawDetail(random: Random, nowMs: number): Detail {
  const ageMs = random.chance(0.1) ? random.integer(0, 5 * dayMs) : 0;
  const values = Object.entries(visitValues).map(([name, attributes]) => [
    name,
    random.pick([...Object.keys(attributes), undefined, null, 'made-up']),
  ]);
  return { at: new Date(nowMs - ageMs).toISOString(), ...Object.fromEntries(values) };
}

/** About half of the UTM parameters, each with one of as many values. */
export function drawCampaign(random: Random, values: number): Record<string, string> {
  const drawn = Object.keys(campaignLetters).map((name) => [name, random.integer(0, 2 * values)]);
  return Object.fromEntries(
    drawn.flatMap(([name, value]) => (Number(value) < values ? [[name, `value-${value}`]] : [])),
  );
}

const invalidMarks = [0, -1, 1.5, 20_480 * 32 + 1, '33', null];

/** One of as many visitors. Some producers don't say which one, or say it wrongly. */
export function drawVisitor(random: Random, visitors: number): Record<string, unknown> {
  if (random.chance(0.2)) return {};
  if (random.chance(0.05)) return { visitorMark: random.pick(invalidMarks) };
  const visitor = random.integer(1, visitors);
  const bucket = (visitor * 7_919) % 20_480;
  // Every second visitor's is 1, every fourth one's 2, and so on.
  const rank = 32 - Math.clz32(visitor & -visitor);
  return { visitorMark: bucket * 32 + rank };
}
