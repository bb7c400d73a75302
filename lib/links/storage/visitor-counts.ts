import { estimateVisitors, type Sketch, unite } from '../../clicks/visitor-sketch.ts';
import type { summarizeDays } from './days.ts';

/** The sketches of a link's days, by date. Days without known visitors are absent. */
export type DaySketches = ReadonlyMap<string, Sketch>;
export const noSketches: DaySketches = new Map();

type Period = ReturnType<typeof summarizeDays>;
type PeriodDay = Period['days'][number] & { visitors?: number };

/**
 * Adds the estimated visitors to each day and to the whole period, whose days are united: somebody who
 * returns counts once. There are never more than clicks by people. Where visitors aren't known, there's no
 * number. If only later days have them, `visitorsSince` is the first one.
 */
export function addVisitors(period: Period, sketches: DaySketches) {
  const days = period.days.map((day): PeriodDay => {
    const sketch = sketches.get(day.date);
    return sketch ? { ...day, visitors: countVisitors([sketch], day.people) } : day;
  });
  const known = period.days.filter(({ date }) => sketches.has(date));
  const people = known.reduce((sum, day) => sum + day.people, 0);
  const [first] = known;
  const isComplete = period.days.every(
    ({ date, people }) => people === 0 || (first && date >= first.date),
  );
  const total = first && { visitors: countVisitors([...sketches.values()], people) };
  const since = first && !isComplete && { visitorsSince: first.date };
  return { ...period, ...total, ...since, days };
}

/** A click's visitor is stored a moment after the click, so a day's people may be read before it. */
function countVisitors(sketches: readonly Sketch[], people: number): number {
  return Math.min(people, estimateVisitors(unite(sketches)));
}
