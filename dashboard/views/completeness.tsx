import { useEffect } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { backlog, followBacklog } from '../state/backlog.ts';
import { watchedLinks } from '../state/live-socket.ts';

const oldMs = 30_000;

/** The number of clicks counted, and of those that may still be added. */
export function Completeness({ counted, links = 1 }: { counted: number; links?: number }) {
  useEffect(followBacklog, []);
  const { value } = backlog;
  return (
    <div class="completeness">
      <p>
        <span>
          <b>{formatCount(counted)}</b> counted
        </span>
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
          {value &&
            Date.now() - Date.parse(value.readAt) > oldMs &&
            ` Pending clicks were last read at ${toTime(value.readAt)}.`}
        </p>
      </details>
    </div>
  );
}

function toTime(instant: string): string {
  return `${instant.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length)} UTC`;
}
