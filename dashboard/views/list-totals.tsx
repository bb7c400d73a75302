import { useEffect } from 'preact/hooks';
import { countOf, formatClock, formatCount, nameToday } from '../format.ts';
import { isWithoutBots } from '../state/bots.ts';
import { now } from '../state/browser.ts';
import { total } from '../state/links.ts';
import { announce, live } from '../state/services.ts';
import { Completeness } from './completeness.tsx';
import { Count } from './count.tsx';

/** The clicks on all of the viewer's links, and those of today. */
export function ListTotals() {
  const all = total.value;
  const isStopped = ['failing', 'expired', 'offline'].includes(live.state.value);
  const clicks = all?.clicks ?? 0;
  useEffect(() => {
    if (clicks > 0) announce(`${countOf(clicks, 'click')} on your links`);
  }, [clicks]);
  if (all?.links === 0) return null;
  return (
    <div class="totals">
      <p>
        <span class="total">{all ? <Count value={clicks} /> : '–'}</span>{' '}
        <span class="total-scope">
          {all
            ? `${clicks === 1 ? 'click' : 'clicks'}${isWithoutBots.value ? ' by people' : ''} counted on ${countOf(all.links, 'link')}`
            : `clicks. ${isStopped ? "They couldn't be added up." : 'Adding them up…'}`}
          {all && (
            <span class="muted">
              {' '}
              · {all.today === undefined ? '–' : formatCount(all.today)} {nameToday(now.value)}
              {all.asOfMs !== undefined && ` · as of ${formatClock(all.asOfMs)}`}
            </span>
          )}
        </span>
      </p>
      {all && <Completeness />}
    </div>
  );
}
