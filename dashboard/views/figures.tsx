import type { ComponentChildren } from 'preact';
import { ranges } from '../days.ts';
import { formatChange, formatCount, formatShare } from '../format.ts';
import { sumCounts, visitorsOf } from '../state/counts.ts';
import type { LinkState, Past } from '../state/link.ts';
import { Count } from './count.tsx';

/** The range's clicks: all, by people and by bots, and how they differ from the period before. */
export function Figures({ link }: { link: LinkState }) {
  const { period, past } = link;
  const sums = period.value && visitorsOf(period.value);
  const clicks = sums?.clicks ?? 0;
  const isKnown = sums !== undefined;
  return (
    // Another range isn't a rise.
    <dl key={past.value?.range} class="figures" aria-busy={!isKnown}>
      <Figure name="Clicks" isKnown={isKnown}>
        <Count value={clicks} />
      </Figure>
      <Figure name="Clicks by people" isKnown={isKnown}>
        <Count value={sums?.people ?? 0} />
      </Figure>
      <Figure name="Clicks by bots" isKnown={isKnown}>
        <Count value={sums?.bots ?? 0} /> <small>{formatShare(sums?.bots ?? 0, clicks)}</small>
      </Figure>
      {sums && sums.unknown > 0 && (
        <Figure name="Unknown">
          <Count value={sums.unknown} />
        </Figure>
      )}
      {past.value && past.value.range !== 'all' && <Change {...past.value} />}
    </dl>
  );
}

function Change({ range, before = 0, days }: Past) {
  const clicks = sumCounts(days);
  return (
    <Figure name={`Against the ${ranges[range].days} days before`}>
      {before > 0 ? (
        <span
          title={`Until yesterday: ${formatCount(clicks)} clicks instead of ${formatCount(before)}`}
        >
          {formatChange(clicks, before)}
        </span>
      ) : (
        <span class="muted">–</span>
      )}
    </Figure>
  );
}

interface FigureProps {
  name: string;
  isKnown?: boolean;
  children: ComponentChildren;
}

function Figure({ name, isKnown = true, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isKnown ? children : <span class="skeleton">&nbsp;</span>}</dd>
    </div>
  );
}
