import { computed, signal } from '@preact/signals';
import { maxClicksInEnvelope } from '../../lib/clicks/envelope-limit.ts';
import type { BacklogAnswer } from '../../lib/live/messages.ts';
import { now } from './browser.ts';
import { api } from './services.ts';

const oldMs = 30_000;

const newest = signal<BacklogAnswer>();

/** The newest numbers of messages in the queues; undefined until they're read, and once they're old. */
export const backlog = computed(() => {
  const reading = newest.value;
  const ageMs = now.value - Date.parse(reading?.readAt ?? '');
  return ageMs > oldMs ? undefined : reading;
});

/** The most clicks that may be missing from the numbers; undefined while the queues aren't known. */
export const mostMissing = computed(() => {
  if (!backlog.value) return undefined;
  const { waiting, deadLetters } = backlog.value;
  return mostClicksIn(waiting + deadLetters);
});

/** Reads the queues. The next reading makes up for a failure. */
export async function readBacklog(): Promise<void> {
  const reading = await api.readBacklog().catch(() => undefined);
  // Responses may arrive out of order.
  if (reading && reading.readAt >= (newest.peek()?.readAt ?? '')) newest.value = reading;
}

/** The queues count messages. Each holds one click or an envelope of several. */
export function mostClicksIn(messages: number): number {
  return messages * maxClicksInEnvelope;
}
