import { listDays } from '../days.ts';
import { countOf, formatChange, formatCount, formatFullDay } from '../format.ts';
import { mostMissing } from '../state/backlog.ts';
import { couldReverse } from '../state/counts.ts';
import type { Overview } from '../state/overview.ts';

interface Props {
  comparison: Overview['comparison'];
  /** Whose newest clicks aren't read yet. */
  oldLinks?: number;
  isOfPeople?: boolean;
}

/** How the clicks by people changed, or all if people aren't known, with both numbers and both periods. */
export function Change({ comparison, oldLinks = 0, isOfPeople = true }: Props) {
  if (!comparison) return null;
  const { current, before } = comparison;
  const of = isOfPeople ? 'people' : 'clicks';
  const isOpen = oldLinks > 0 || couldReverse(current[of], before[of], mostMissing.value);
  return (
    <p class="change">
      {before[of] > 0 && !isOpen && <b>{formatChange(current[of], before[of])} </b>}
      {countOf(current[of], 'click')}
      {isOfPeople ? ' by people' : ', with bots,'} from {formatRange(current)}, against{' '}
      {formatCount(before[of])} from {formatRange(before)}
      {isOpen &&
        `. The change is known once all ${oldLinks > 0 ? 'links are read' : 'messages are counted'}.`}
    </p>
  );
}

/** A range of UTC days for display: 1 Nov 2026 to 30 Nov 2026 (30 days, UTC). */
export function formatRange({ from, to }: { from: string; to: string }): string {
  const days = countOf(listDays(from, to).length, 'day');
  return `${formatFullDay(from)} to ${formatFullDay(to)} (${days}, UTC)`;
}
