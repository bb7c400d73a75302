import { countOf } from '../format.ts';
import { BarChart } from './bar-chart.tsx';
import type { Bar } from './scale.ts';

/** Clicks by day: by people, with those by bots and by unknown visitors stacked on top. */
export function DayChart({ bars }: { bars: readonly Bar[] }) {
  const counts = bars.map(({ clicks }) => clicks);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const max = Math.max(0, ...counts);
  const best = bars[counts.indexOf(max)];
  const label =
    `${countOf(total, 'click')} from ${bars[0]?.title} to ${bars.at(-1)?.title}` +
    (best && max > 0 ? `; most on ${best.title}: ${max}` : '');
  const slots = bars.map((bar) => ({
    label: bar.label,
    text: describe(bar),
    // From the highest to the lowest, so each covers the one before it.
    bars: [
      { name: 'third', count: bar.clicks },
      { name: 'second', count: bar.people + bar.bots },
      { name: 'first', count: bar.people },
    ],
  }));
  return <BarChart label={label} slots={slots} preset={bars.length - 1} gapOf={gapOf} />;
}

function gapOf(slotWidth: number): number {
  if (slotWidth > 8) return Math.min(6, slotWidth * 0.22);
  return slotWidth > 3 ? 1 : 0;
}

/** The bar's numbers in one sentence. */
function describe(bar: Bar): string {
  const parts = [`${bar.people} by people`, `${bar.bots} by bots`];
  if (bar.unknown > 0) parts.push(`${bar.unknown} unknown`);
  return `${bar.title}: ${countOf(bar.clicks, 'click')}, ${parts.join(', ')}`;
}
