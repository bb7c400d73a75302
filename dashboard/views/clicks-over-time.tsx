import { DayChart } from '../charts/day-chart.tsx';
import { HourChart } from '../charts/hour-chart.tsx';
import { toBars, toHourBars } from '../charts/scale.ts';
import { listDays, pastOf, ranges } from '../days.ts';
import { formatCount } from '../format.ts';
import { today } from '../state/browser.ts';
import type { LinkState } from '../state/link.ts';
import { rangeNames } from './range-names.ts';

/** When the clicks came: a chart, a switch for its range, and the same numbers as a table. */
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
      <details class="numbers">
        <summary>The same numbers as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">People</th>
              <th scope="col">Bots</th>
              <th scope="col">Clicks</th>
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map(({ title, people, bots }) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                <td>{formatCount(people)}</td>
                <td>{formatCount(bots)}</td>
                <td>{formatCount(people + bots)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
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
      <details class="numbers">
        <summary>The same numbers as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Hour (UTC)</th>
              <th scope="col">Yesterday</th>
              <th scope="col">Today</th>
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, today: now, yesterday }) => (
              <tr key={hour}>
                <th scope="row">{hour}:00</th>
                <td>{formatCount(yesterday)}</td>
                <td>{formatCount(now)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
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
