import { countOf } from '../format.ts';
import { Frame, type Plot } from './frame.tsx';
import type { Bar } from './scale.ts';

/** Clicks by day: people, with bots and unknown visitors stacked on top. */
export function DayChart({ bars }: { bars: readonly Bar[] }) {
  const counts = bars.map(countIn);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const max = Math.max(0, ...counts);
  const best = bars[counts.indexOf(max)];
  const label =
    `${countOf(total, 'click')} from ${bars[0]?.title} to ${bars.at(-1)?.title}` +
    (best && max > 0 ? `; most on ${best.title}: ${max}` : '');
  return (
    <Frame
      label={label}
      max={max}
      labels={bars.map((bar) => bar.label)}
      texts={bars.map(describe)}
      preset={bars.length - 1}
      draw={(plot) =>
        bars.map((bar, index) => <DayBar key={bar.title} bar={bar} index={index} plot={plot} />)
      }
    />
  );
}

function DayBar({ bar, index, plot }: { bar: Bar; index: number; plot: Plot }) {
  const { people, bots } = bar;
  const gap = plot.slotWidth > 8 ? Math.min(6, plot.slotWidth * 0.22) : plot.slotWidth > 3 ? 1 : 0;
  const x = plot.xOf(index) + gap / 2;
  const width = Math.max(1, plot.slotWidth - gap);
  // From the highest to the lowest, so each covers the one before it.
  const parts = [
    { name: 'third', count: countIn(bar) },
    { name: 'second', count: people + bots },
    { name: 'first', count: people },
  ];
  return (
    <g class="bar">
      {parts.map(({ name, count }) => {
        const height = plot.heightOf(count);
        const y = plot.baseline - height;
        return <rect key={name} class={name} x={x} y={y} width={width} height={height} rx={1.5} />;
      })}
    </g>
  );
}

function countIn({ people, bots, unknown }: Bar): number {
  return people + bots + unknown;
}

/** The bar's numbers in one sentence. */
function describe(bar: Bar): string {
  const parts = [`${bar.people} by people`, `${bar.bots} by bots`];
  if (bar.unknown > 0) parts.push(`${bar.unknown} unknown`);
  return `${bar.title}: ${countOf(countIn(bar), 'click')}, ${parts.join(', ')}`;
}
