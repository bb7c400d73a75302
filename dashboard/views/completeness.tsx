import { useEffect } from 'preact/hooks';
import { countOf } from '../format.ts';
import { backlog, followBacklog } from '../state/backlog.ts';
import { now } from '../state/browser.ts';

const oldMs = 30_000;

/** The number of clicks that may still be added, and what that means. */
export function Completeness() {
  useEffect(followBacklog, []);
  const isOld = now.value - Date.parse(backlog.value?.readAt ?? '') > oldMs;
  const waiting = isOld ? undefined : backlog.value?.waiting;
  return (
    <details class="completeness">
      <summary>{describe(waiting)}</summary>
      <p>
        Counted clicks are final. A click that is delivered again within 19 days isn't counted
        again. Pending clicks have arrived at the service and will be counted within moments. Their
        links aren't known yet, so the number is an upper limit for yours.
      </p>
    </details>
  );
}

function describe(waiting?: number): string {
  if (waiting === undefined) return '– clicks pending';
  return waiting === 0 ? 'No clicks pending' : `Up to ${countOf(waiting, 'click')} pending`;
}
