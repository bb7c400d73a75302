import { useEffect } from 'preact/hooks';
import { BarChart } from '../charts/bar-chart.tsx';
import { barUnit } from '../charts/scale.ts';
import { listDays } from '../days.ts';
import { countOf, formatChange, formatCount, formatDay, formatFullDay } from '../format.ts';
import { mostMissing } from '../state/backlog.ts';
import { today } from '../state/browser.ts';
import { couldReverse } from '../state/counts.ts';
import type { LinkState } from '../state/link.ts';
import type { Overview } from '../state/overview.ts';
import { api } from '../state/services.ts';
import { formatRange } from './change.tsx';

/** Below this, nearly all numbers are exact (docs/visitors.md#how-exact-it-is). */
const exactBelow = 50;
/** Two numbers that differ by less may be equal: each is within 7 % at the 95th percentile. */
const clearShare = 0.1;

/** The range's visitors by day, compared with the period before. The stage may not count them. */
export function LinkVisitors({ link }: { link: LinkState }) {
  const past = link.past.value;
  useEffect(() => {
    if (!past) return;
    const { range } = past;
    const days = { from: link.from.peek(), to: today.peek() };
    api.readStats(link.code, days).then(
      (stats) => link.visitors.take({ ...stats, range }),
      // The page says why it isn't updated.
      () => undefined,
    );
  }, [past]);
  const { visitors, visitorsSince, days = [] } = link.visitors.shown.value ?? {};
  if (visitors === undefined) return null;
  const dates = listDays(link.from.value, today.value);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const slots = dates.map((date) => ({
    label: formatDay(date),
    title: formatFullDay(date),
    counts: [byDate.get(date)?.visitors ?? 0],
  }));
  return (
    <section class="panel" aria-labelledby="visitors">
      <header class="panel-head">
        <h2 id="visitors">Visitors by day (UTC)</h2>
      </header>
      <p>
        <b>≈ {countOf(visitors, 'visitor')}</b> in the whole range
        {visitorsSince && `, counted since ${formatFullDay(visitorsSince)}`}. Updated every 30
        seconds.
      </p>
      <VisitorsChange comparison={past?.comparison} />
      {barUnit(dates.length) === 'day' ? (
        <BarChart noun="visitor" names={[]} slots={slots} />
      ) : (
        <p class="row-note">
          A month's visitors aren't the sum of its days. Choose 90 days or fewer for a chart.
        </p>
      )}
      <VisitorsNote />
      <details class="numbers">
        <summary>View as table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">visitors</th>
              <th scope="col">clicks by people</th>
            </tr>
          </thead>
          <tbody>
            {dates.toReversed().map((date) => {
              const day = byDate.get(date);
              return (
                <tr key={date}>
                  <th scope="row">{formatFullDay(date)}</th>
                  <td>{day?.people ? formatKnown(day.visitors) : 0}</td>
                  <td>{formatCount(day?.people ?? 0)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function formatKnown(visitors?: number): string {
  return visitors === undefined ? '–' : formatCount(visitors);
}

/** What an overview's visitors are, or why there are none. */
export function OverviewVisitors({ overview }: { overview: Overview }) {
  const { visitors, visitorsSince, unreadVisitors } = overview;
  if (unreadVisitors) {
    const { linkDays, maxLinkDays } = unreadVisitors;
    return (
      <p class="row-note is-problem">
        Visitors are counted from each day of each link, here {formatCount(linkDays)}
        {linkDays > maxLinkDays
          ? `, and at most ${formatCount(maxLinkDays)} are read`
          : ', and there was no time for them'}
        . Choose a shorter range, fewer links or no comparison to see them.
      </p>
    );
  }
  if (visitors === undefined) return null;
  return (
    <>
      {visitorsSince && (
        <p class="row-note">Visitors are counted since {formatFullDay(visitorsSince)}.</p>
      )}
      <VisitorsNote />
    </>
  );
}

/** What the numbers mean, and how exact they are. */
function VisitorsNote() {
  return (
    <p class="row-note">
      Visitors are different people, without bots. Somebody who returns counts once, so the days
      don't add up to the range. They're estimated: below {exactBelow}, nearly always exact; above,
      usually within 2%, and 19 times in 20 within 7%.
    </p>
  );
}

/** How the visitors changed, if the change is larger than the estimates' errors. */
export function VisitorsChange({ comparison }: Pick<Overview, 'comparison'>) {
  const current = comparison?.current.visitors;
  const before = comparison?.before.visitors;
  if (!comparison || current === undefined || before === undefined) return null;
  const most = Math.max(current, before);
  if (most === 0) return null;
  const isClear = most < exactBelow || Math.abs(current - before) > most * clearShare;
  const isOpen = couldReverse(current, before, mostMissing.value);
  return (
    <p class="change">
      {before > 0 && isClear && !isOpen && <b>{formatChange(current, before)} </b>}≈{' '}
      {countOf(current, 'visitor')} from {formatRange(comparison.current)}, against ≈{' '}
      {formatCount(before)} from {formatRange(comparison.before)}
      {!isClear && !isOpen && '. The difference is too small for an estimate to tell.'}
      {isOpen && '. The change is known once all messages are counted.'}
    </p>
  );
}
