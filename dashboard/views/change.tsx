import { listDays } from '../days.ts';
import { countOf, formatChange, formatCount, formatFullDay } from '../format.ts';
import { mostMissing } from '../state/backlog.ts';
import { couldTurn } from '../state/counts.ts';
import type { Overview } from '../state/overview.ts';

/** How the clicks by people changed, with both numbers and both periods. */
export function Change({
  comparison,
  oldLinks = 0,
}: Pick<Overview, 'comparison'> & { oldLinks?: number }) {
  if (!comparison) return null;
  const { current, before } = comparison;
  const isOpen = oldLinks > 0 || couldTurn(current.people, before.people, mostMissing.value);
  return (
    <p class="change">
      {before.people > 0 && !isOpen && <b>{formatChange(current.people, before.people)} </b>}
      {countOf(current.people, 'click')} by people from {formatRange(current)}, against{' '}
      {formatCount(before.people)} from {formatRange(before)}
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
