import { useEffect } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { backlog, followBacklog } from '../state/backlog.ts';
import { now } from '../state/browser.ts';
import { watchedLinks } from '../state/live-socket.ts';

const oldMs = 30_000;

/** The number of clicks that may still be added. */
export function Completeness({ links = 1 }: { links?: number }) {
  useEffect(followBacklog, []);
  const isOld = now.value - Date.parse(backlog.value?.readAt ?? '') > oldMs;
  const value = isOld ? undefined : backlog.value;
  return (
    <div class="completeness">
      <p>
        <span>
          {value && value.waiting > 0 && 'up to '}
          <b>{value ? formatCount(value.waiting) : '–'}</b> pending
        </span>
      </p>
      <details class="explanation">
        <summary>What does this mean?</summary>
        <p>
          Counted clicks are final. A click that is delivered again within 19 days isn't counted
          again. Pending clicks have arrived at the service and will be counted within moments.
          Their links aren't known yet, so the number is an upper limit for yours.
          {links > watchedLinks &&
            ` The ${watchedLinks} links on screen and newest update live. The others are read again at least every few minutes.`}
        </p>
      </details>
    </div>
  );
}
