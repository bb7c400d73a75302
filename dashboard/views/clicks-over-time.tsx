import { DayChart } from '../charts/day-chart.tsx';
import { HourChart } from '../charts/hour-chart.tsx';
import { barUnit, toBars, toHourBars } from '../charts/scale.ts';
import { listDays, pastOf, type Range, ranges } from '../days.ts';
import { formatCount } from '../format.ts';
import { today } from '../state/browser.ts';
import type { LinkState } from '../state/link.ts';

const rangeNames = Object.keys(ranges) as Range[];
const titles = { day: 'Day by day', week: 'Week by week', month: 'Month by month' };

/** A chart of clicks over time, a switch for its range, and the same numbers as a table. */
export function ClicksOverTime({ link }: { link: LinkState }) {
  const isOfHours = link.past.value?.range === '2d';
  const dates = datesOf(link);
  return (
    <section class="panel" aria-labelledby="over-time">
      <header class="panel-head">
        <h2 id="over-time">{isOfHours ? 'Hour by hour' : titles[barUnit(dates?.length ?? 0)]}</h2>
        <RangeSwitch link={link} />
      </header>
      {isOfHours ? <Hours link={link} /> : <Days link={link} dates={dates} />}
    </section>
  );
}

/** The range's days; undefined until it's known when the first one was. */
function datesOf(link: LinkState): string[] | undefined {
  const period = link.period.value;
  const range = link.past.value?.range;
  if (!period || !range) return undefined;
  const first = pastOf(range, today.value).from ?? period.days[0]?.date ?? today.value;
  return listDays(first, today.value);
}

function RangeSwitch({ link }: { link: LinkState }) {
  return (
    <fieldset class="switch">
      <legend class="hidden">Range</legend>
      {rangeNames.map((range) => (
        <label key={range}>
          <input
            type="radio"
            name="range"
            checked={link.range.value === range}
            onChange={() => link.choose(range)}
          />
          <span>{ranges[range].label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Days({ link, dates }: { link: LinkState; dates?: string[] }) {
  const period = link.period.value;
  if (!period || !dates) return <div class="chart is-loading" />;
  const bars = toBars(period.days, dates);
  const hasUnknown = bars.some(({ unknown }) => unknown > 0);
  return (
    <>
      <DayChart bars={bars} />
      <Legend names={['by people', 'by bots', ...(hasUnknown ? ['unknown'] : [])]} />
      <Numbers
        columns={['Day (UTC)', 'By people', 'By bots', 'Unknown', 'Clicks']}
        rows={bars
          .toReversed()
          .map((bar) => [bar.title, bar.people, bar.bots, bar.unknown, bar.clicks])}
      />
    </>
  );
}

function Hours({ link }: { link: LinkState }) {
  const hours = toHourBars(
    link.current.value?.breakdowns.hour ?? [],
    link.past.value?.breakdowns.hour ?? [],
  );
  return (
    <>
      <HourChart hours={hours} />
      <Legend names={['today', 'yesterday']} />
      <Numbers
        columns={['Hour (UTC)', 'Yesterday', 'Today']}
        rows={hours.map(({ hour, today: now, yesterday }) => [`${hour}:00`, yesterday, now])}
      />
    </>
  );
}

/** An alternative for viewers who can't see the chart. Each row begins with its name. */
function Numbers({ columns, rows }: { columns: string[]; rows: [string, ...number[]][] }) {
  return (
    <details class="numbers">
      <summary>View as table</summary>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...counts]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {counts.map((count, index) => (
                <td key={columns[index + 1]}>{formatCount(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const swatches = ['swatch', 'swatch is-second', 'swatch is-third'];

function Legend({ names }: { names: string[] }) {
  return (
    <p class="legend">
      {names.map((name, index) => (
        <span key={name}>
          <i class={swatches[index]} />
          {name}
        </span>
      ))}
      <span class="muted">UTC</span>
    </p>
  );
}
