import { useState } from 'preact/hooks';
import { botValue } from '../../lib/clicks/undivided.ts';
import { BarChart, type Slot, sum } from '../charts/bar-chart.tsx';
import { barUnit, labelHours, toBars, toHours } from '../charts/scale.ts';
import { listDays, type Range, ranges } from '../days.ts';
import { formatCount } from '../format.ts';
import { hashOfOverview } from '../overview-query.ts';
import { isWithoutBots } from '../state/bots.ts';
import { now, replaceHash, today } from '../state/browser.ts';
import { visitorsOf } from '../state/counts.ts';
import type { LinkState } from '../state/link.ts';
import { hashOf } from '../state/route.ts';
import { includesBots, nameOf } from './breakdowns.tsx';
import { Button } from './button.tsx';
import { Change } from './change.tsx';
import { Count } from './count.tsx';
import { Legend } from './legend.tsx';
import { WithoutBots, withBots } from './without-bots.tsx';

const rangeNames = Object.keys(ranges) as Range[];

/** The range's figures and a chart of them over time, and the same numbers as a table. */
export function ClicksOverTime({ link }: { link: LinkState }) {
  const isOfHours = link.range.value === '2d' && !link.value.value;
  const dates = listDays(link.from.value, today.value);
  const unit = isOfHours ? 'hour' : barUnit(dates.length);
  return (
    <section class="panel" aria-labelledby="over-time">
      <header class="panel-head">
        <h2 id="over-time">
          Clicks by {unit}
          {(isOfHours || link.value.value) && withBots(!leavesBotsOut(link))}
        </h2>
        <RangeSwitch link={link} />
        <WithoutBots />
        <a href={hashOfOverview({ code: link.code })}>Other ranges and report</a>
      </header>
      <Figures link={link} />
      <Change comparison={link.past.value?.comparison} />
      {isOfHours ? <Hours link={link} /> : <Days link={link} dates={dates} />}
    </section>
  );
}

/**
 * The range's clicks: all, by people, by bots and, if the networks are known, from data centers.
 */
function Figures({ link: { period, past, visitors } }: { link: LinkState }) {
  const different = visitors.shown.value?.visitors;
  const sums = period.value && visitorsOf(period.value);
  const networks = period.value?.breakdowns.network ?? [];
  const figures = {
    ...(!isWithoutBots.value && { Clicks: sums?.clicks }),
    'Clicks by people': sums?.people,
    ...(sums && different !== undefined && { '≈ Visitors': Math.min(different, sums.people) }),
    ...(!isWithoutBots.value && { 'Clicks by bots': sums?.bots }),
    ...(sums && sums.unknown > 0 && { Unknown: sums.unknown }),
    ...(networks.some(({ name }) => name !== 'unknown') && {
      'From data centers': networks.find(({ name }) => name === 'hosting')?.count ?? 0,
    }),
  };
  return (
    // Another range isn't a rise.
    <dl key={past.value?.range} class="figures" aria-busy={!sums}>
      {Object.entries(figures).map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count === undefined ? <span class="skeleton" /> : <Count value={count} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function RangeSwitch({ link: { code, range: chosen } }: { link: LinkState }) {
  return (
    <fieldset class="switch">
      <legend class="hidden">Range</legend>
      {rangeNames.map((range) => (
        <label key={range}>
          <input
            type="radio"
            name="range"
            checked={chosen.value === range}
            onChange={() => replaceHash(hashOf(code, range))}
          />
          <span>{ranges[range].label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Whether the viewer wants no bots, and neither the chosen value nor the others have any. */
function leavesBotsOut(link: LinkState): boolean {
  const value = link.value.value;
  if (!value || value.name === botValue || !isWithoutBots.value) return false;
  return !includesBots(link, value.breakdown);
}

function Days({ link, dates }: { link: LinkState; dates: string[] }) {
  const period = link.period.value;
  const value = link.value.value;
  const ofValue = link.daysOfValue.value;
  if (!period || (value && !ofValue)) return <div class="chart is-loading" aria-busy="true" />;
  const hasOthersByBots = !leavesBotsOut(link);
  const days = value
    ? period.days.map(({ date, count, bots }) => ({
        date,
        count: hasOthersByBots ? count : count - bots,
        people: ofValue?.get(date) ?? 0,
        bots: 0,
      }))
    : period.days;
  const bars = toBars(days, dates);
  const hasUnknown = bars.some(({ unknown }) => unknown > 0);
  const ofOthers = ['by bots', ...(hasUnknown ? ['unknown'] : [])];
  const names = value
    ? [nameOf(value.breakdown, value.name), 'others']
    : ['by people', ...(isWithoutBots.value ? [] : ofOthers)];
  const slots = bars.map(({ people, bots, unknown, ...bar }) => {
    const counts = value ? [people, unknown] : [people, bots, unknown];
    return { ...bar, counts: counts.slice(0, names.length) };
  });
  return (
    <>
      <BarChart names={names} slots={slots} />
      <Legend names={names} />
      <Numbers columns={['Day (UTC)', ...names]} slots={slots} />
    </>
  );
}

function Hours({ link }: { link: LinkState }) {
  const [isUtc, setUtc] = useState(false);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!link.period.value) return <div class="chart is-loading" aria-busy="true" />;
  const hours = toHours(
    [link.past.value?.breakdowns.hour ?? [], link.current.value?.breakdowns.hour ?? []],
    now.value,
  );
  const labels = labelHours(hours, isUtc);
  const slots = labels.map((label, index) => ({ ...label, counts: [hours[index]?.clicks ?? 0] }));
  return (
    <>
      <BarChart names={[]} slots={slots} />
      <p class="legend">
        <span>Times in {isUtc ? 'UTC' : zone}</span>
        {zone !== 'UTC' && (
          <Button kind="quiet" onClick={() => setUtc(!isUtc)}>
            Show {isUtc ? zone : 'UTC'}
          </Button>
        )}
      </p>
      <Numbers columns={['Hour from']} slots={slots} />
    </>
  );
}

/** An alternative for viewers who can't see the chart. */
function Numbers({ columns, slots }: { columns: string[]; slots: Slot[] }) {
  const heads = [...columns, 'clicks'];
  return (
    <details class="numbers">
      <summary>View as table</summary>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slots.toReversed().map(({ title, counts }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {[...counts.slice(0, columns.length - 1), sum(counts)].map((count, index) => (
                <td key={heads[index + 1]}>{formatCount(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
