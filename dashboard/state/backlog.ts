import { effect, signal } from '@preact/signals';
import type { BacklogAnswer } from '../../lib/live/messages.ts';
import { isOnline, isVisible } from './browser.ts';
import { api } from './services.ts';

const everyMs = 5_000;

/** The newest reading of the queues; undefined until the first one. */
export const backlog = signal<BacklogAnswer | undefined>(undefined);

/** Reads the queues. A failure returns undefined, and the next reading makes up for it. */
export async function readBacklog(): Promise<BacklogAnswer | undefined> {
  try {
    const reading = await api.readBacklog();
    // Responses may arrive out of order.
    if (reading.readAt >= (backlog.peek()?.readAt ?? '')) backlog.value = reading;
    return reading;
  } catch {
    return undefined;
  }
}

/** Reads the queues every few seconds while the page is visible and online, until it's stopped. */
export function followBacklog(): () => void {
  return effect(() => {
    if (!isVisible.value || !isOnline.value) return;
    readBacklog();
    const timer = setInterval(readBacklog, everyMs);
    return () => clearInterval(timer);
  });
}
