import {
  type Comparison,
  comparisons,
  daysOf,
  hashOfOverview,
  type OverviewQuery,
  type Preset,
  presets,
} from '../overview-query.ts';
import { today } from '../state/browser.ts';
import { WithoutBots } from './without-bots.tsx';

const own = 'own';

/** Chooses the range and what it's compared with. Both go into the address. */
export function OverviewControls({ query }: { query: OverviewQuery }) {
  const { range } = query;
  const days = daysOf(range, today.value);
  const go = (change: Partial<OverviewQuery>) => {
    location.hash = hashOfOverview({ ...query, ...change });
  };
  const changeDay = (end: 'from' | 'to', date: string) => {
    const next = { ...days, [end]: date };
    if (date !== '' && next.from <= next.to) go({ range: next });
  };
  return (
    <div class="overview-controls field">
      <label>
        Range{' '}
        <select
          value={typeof range === 'object' ? own : range}
          onChange={({ currentTarget: { value } }) =>
            go({ range: value === own ? days : (value as Preset) })
          }
        >
          {Object.entries(presets).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value={own}>From and to…</option>
        </select>
      </label>
      {typeof range === 'object' &&
        (['from', 'to'] as const).map((end) => (
          <label key={end}>
            {end === 'from' ? 'From' : 'To'}{' '}
            <input
              type="date"
              required
              max={today.value}
              value={days[end]}
              onChange={({ currentTarget }) => changeDay(end, currentTarget.value)}
            />
          </label>
        ))}
      <label>
        Compare with{' '}
        <select
          value={query.compare}
          onChange={({ currentTarget }) => go({ compare: currentTarget.value as Comparison })}
        >
          {Object.entries(comparisons).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <WithoutBots />
    </div>
  );
}
