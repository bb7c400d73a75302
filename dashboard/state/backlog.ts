import { signal } from '@preact/signals';
import type { BacklogAnswer } from '../../lib/live/answer-schemas.ts';
import { api, repeatWhileVisible } from './services.ts';

const everyMs = 5_000;

/** The newest reading of the queues; undefined until there is one. */
export const backlog = signal<BacklogAnswer | undefined>(undefined);

/** Reads the queues; undefined if that fails, which the next reading makes good. */
export async function readBacklog(): Promise<BacklogAnswer | undefined> {
  try {
    const reading = await api.readBacklog();
    // Answers may overtake each other.
    if (reading.readAt >= (backlog.peek()?.readAt ?? '')) backlog.value = reading;
    return reading;
  } catch {
    return undefined;
  }
}

/** Reads the queues every few seconds; returns what ends it. */
export function followBacklog(): () => void {
  return repeatWhileVisible(readBacklog, everyMs);
}
