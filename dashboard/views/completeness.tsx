import { signal, useSignalEffect } from '@preact/signals';
import type { BacklogAnswer } from '../../lib/live/messages.ts';
import { countOf } from '../format.ts';
import { isOnline, isVisible, now } from '../state/browser.ts';
import { api } from '../state/services.ts';

const everyMs = 5_000;

/** The newest reading of the queues; undefined until the first one. */
const backlog = signal<BacklogAnswer>();

/** Reads the queues. The next reading makes up for a failure. */
async function readBacklog(): Promise<void> {
  const reading = await api.readBacklog().catch(() => undefined);
  // Responses may arrive out of order.
  if (reading && reading.readAt >= (backlog.peek()?.readAt ?? '')) backlog.value = reading;
}

const oldMs = 30_000;

/** The number of clicks that may still be added, and what that means. */
export function Completeness() {
  useSignalEffect(() => {
    if (!isVisible.value || !isOnline.value) return;
    readBacklog();
    const timer = setInterval(readBacklog, everyMs);
    return () => clearInterval(timer);
  });
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
