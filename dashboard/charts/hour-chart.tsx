import { countOf } from '../format.ts';
import { Frame, type Plot } from './frame.tsx';
import type { HourBar } from './scale.ts';

/** Today's clicks by hour, in front of yesterday's. */
export function HourChart({ hours }: { hours: readonly HourBar[] }) {
  const sumOf = (day: 'today' | 'yesterday') => hours.reduce((sum, hour) => sum + hour[day], 0);
  const label = `${countOf(sumOf('today'), 'click')} today and ${sumOf('yesterday')} yesterday, by hour`;
  return (
    <Frame
      label={label}
      max={Math.max(...hours.flatMap(({ today, yesterday }) => [today, yesterday]))}
      labels={hours.map(({ hour }) => `${hour}:00`)}
      texts={hours.map(
        ({ hour, today, yesterday }) =>
          `${hour}:00 UTC: ${countOf(today, 'click')} today, ${yesterday} yesterday`,
      )}
      preset={new Date().getUTCHours()}
      draw={(plot) =>
        hours.map((hour, index) => (
          <HourBars key={hour.hour} hour={hour} index={index} plot={plot} />
        ))
      }
    />
  );
}

function HourBars({ hour, index, plot }: { hour: HourBar; index: number; plot: Plot }) {
  const parts = [
    { name: 'second', count: hour.yesterday, gap: plot.slotWidth * 0.1 },
    { name: 'first', count: hour.today, gap: plot.slotWidth * 0.26 },
  ];
  return (
    <g class="bar">
      {parts.map(({ name, count, gap }) => {
        const [x, width] = [plot.xOf(index) + gap, plot.slotWidth - 2 * gap];
        const height = plot.heightOf(count);
        const y = plot.baseline - height;
        return <rect key={name} class={name} x={x} y={y} width={width} height={height} rx={1.5} />;
      })}
    </g>
  );
}
