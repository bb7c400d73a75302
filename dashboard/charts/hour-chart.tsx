import { countOf } from '../format.ts';
import { BarChart } from './bar-chart.tsx';
import type { toHourBars } from './scale.ts';

/** Today's clicks by hour, in front of yesterday's. */
export function HourChart({ hours }: { hours: ReturnType<typeof toHourBars> }) {
  const sumOf = (day: 'today' | 'yesterday') => hours.reduce((sum, hour) => sum + hour[day], 0);
  const label = `${countOf(sumOf('today'), 'click')} today and ${sumOf('yesterday')} yesterday, by hour`;
  const slots = hours.map(({ hour, today, yesterday }) => ({
    label: `${hour}:00`,
    text: `${hour}:00 UTC: ${countOf(today, 'click')} today, ${yesterday} yesterday`,
    bars: [
      { name: 'second', count: yesterday },
      { name: 'first', count: today },
    ],
  }));
  return <BarChart label={label} slots={slots} preset={new Date().getUTCHours()} gapOf={gapOf} />;
}

function gapOf(slotWidth: number, name: string): number {
  return slotWidth * (name === 'first' ? 0.52 : 0.2);
}
