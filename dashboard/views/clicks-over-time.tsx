import { DayChart } from '../charts/day-chart.tsx';
import { HourChart } from '../charts/hour-chart.tsx';
import { toBars, toHourBars } from '../charts/scale.ts';
import { listDays, pastOf, ranges } from '../days.ts';
import { formatCount } from '../format.ts';
import { today } from '../state/browser.ts';
import type { LinkState } from '../state/link.ts';
import { rangeNames } from './range-names.ts';

/** A chart of clicks over time, a switch for its range, and the same numbers as a table. */
export function ClicksOverTime({ link }: { link: LinkState }) {
  const isOfHours = link.past.value?.range === '24h';
  return (
    <section class="panel" aria-labelledby="over-time">
      <header class="panel-head">
        <h2 id="over-time">{isOfHours ? 'Hour by hour' : 'Day by day'}</h2>
        <RangeSwitch link={link} />
      </header>
      {isOfHours ? <Hours link={link} /> : <Days link={link} />}
    </section>
  );
}

function RangeSwitch({ link }: { link: LinkState }) {
  return (
    <fieldset class="switch">
      <legend class="hidden">Range</legend>
      {ranges.map((range) => (
        <label key={range}>
          <input
            type="radio"
            name="range"
            checked={link.range.value === range}
            onChange={() => link.choose(range)}
          />
          <span>{rangeNames[range].label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Days({ link }: { link: LinkState }) {
  const period = link.period.value;
  const range = link.past.value?.range;
  if (!period || !range) return <div class="chart is-loading" />;
  const first = pastOf(range, today.value).from ?? period.days[0]?.date ?? today.value;
  const bars = toBars(period.days, listDays(first, today.value));
  return (
    <>
      <DayChart bars={bars} />
      <Legend names={['people', 'bots']} />
      <Numbers
        columns={['Day (UTC)', 'People', 'Bots', 'Clicks']}
        rows={bars
          .toReversed()
          .map(({ title, people, bots }) => [title, people, bots, people + bots])}
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
      <summary>The same numbers as a table</summary>
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

function Legend({ names }: { names: [string, string] }) {
  return (
    <p class="legend">
      {names.map((name, index) => (
        <span key={name}>
          <i class={index === 0 ? 'swatch' : 'swatch is-second'} />
          {name}
        </span>
      ))}
      <span class="muted">UTC</span>
    </p>
  );
}
