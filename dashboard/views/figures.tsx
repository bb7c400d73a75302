import { ranges } from '../days.ts';
import { formatChange, formatCount } from '../format.ts';
import { sumCounts, visitorsOf } from '../state/counts.ts';
import type { LinkState, Past } from '../state/link.ts';
import { Count } from './count.tsx';

/** The range's clicks: all, by people and by bots, and how they differ from the period before. */
export function Figures({ link: { period, past } }: { link: LinkState }) {
  const sums = period.value && visitorsOf(period.value);
  const figures = {
    Clicks: sums?.clicks,
    'Clicks by people': sums?.people,
    'Clicks by bots': sums?.bots,
    ...(sums && sums.unknown > 0 && { Unknown: sums.unknown }),
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
      {past.value && past.value.range !== 'all' && <Change {...past.value} />}
    </dl>
  );
}

function Change({ range, before = 0, days }: Past) {
  const clicks = sumCounts(days);
  const title = `${formatCount(clicks)} clicks instead of ${formatCount(before)}, without today`;
  return (
    <div>
      <dt>Against the {ranges[range].days} days before</dt>
      <dd title={before > 0 ? title : undefined}>
        {before > 0 ? formatChange(clicks, before) : <span class="muted">–</span>}
      </dd>
    </div>
  );
}
