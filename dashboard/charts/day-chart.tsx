import { countOf } from '../format.ts';
import { Frame, type Plot } from './frame.tsx';
import type { Bar } from './scale.ts';

/** Clicks by day: people, with bots stacked on top. */
export function DayChart({ bars }: { bars: readonly Bar[] }) {
  const counts = bars.map(({ people, bots }) => people + bots);
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
      slots={bars.length}
      labels={bars.map((bar) => bar.label)}
      draw={(plot) =>
        bars.map((bar, index) => <DayBar key={bar.title} bar={bar} index={index} plot={plot} />)
      }
    />
  );
}

function DayBar({ bar, index, plot }: { bar: Bar; index: number; plot: Plot }) {
  const { title, people, bots } = bar;
  const gap = plot.slotWidth > 8 ? Math.min(6, plot.slotWidth * 0.22) : plot.slotWidth > 3 ? 1 : 0;
  const x = plot.xOf(index) + gap / 2;
  const width = Math.max(1, plot.slotWidth - gap);
  const [ofPeople, ofAll] = [plot.heightOf(people), plot.heightOf(people + bots)];
  return (
    <g class="bar">
      <title>{`${title}: ${countOf(people + bots, 'click')}, ${bots} of them by bots`}</title>
      {/* The whole slot shows the numbers on hover, even if the bar is tiny. */}
      <rect class="slot" x={plot.xOf(index)} y={0} width={plot.slotWidth} height={plot.baseline} />
      <rect class="second" x={x} y={plot.baseline - ofAll} width={width} height={ofAll} rx={1.5} />
      <rect
        class="first"
        x={x}
        y={plot.baseline - ofPeople}
        width={width}
        height={ofPeople}
        rx={1.5}
      />
    </g>
  );
}
