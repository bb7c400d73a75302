import { signal } from '@preact/signals';
import type { BacklogAnswer } from '../../lib/live/answer-schemas.ts';
import { api, repeatWhileVisible } from './services.ts';

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

/** Reads the queues every few seconds. Returns a function that stops it. */
export function followBacklog(): () => void {
  return repeatWhileVisible(readBacklog, everyMs);
}
