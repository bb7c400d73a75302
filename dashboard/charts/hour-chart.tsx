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
  const x = plot.xOf(index);
  const { slotWidth, heightOf, baseline } = plot;
  const [now, before] = [heightOf(hour.today), heightOf(hour.yesterday)];
  return (
    <g class="bar">
      <rect
        class="second"
        x={x + slotWidth * 0.1}
        y={baseline - before}
        width={slotWidth * 0.8}
        height={before}
        rx={1.5}
      />
      <rect
        class="first"
        x={x + slotWidth * 0.26}
        y={baseline - now}
        width={slotWidth * 0.48}
        height={now}
        rx={1.5}
      />
    </g>
  );
}
