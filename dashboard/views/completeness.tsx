import { useSignalEffect } from '@preact/signals';
import { maxClicksInEnvelope } from '../../lib/clicks/envelope-limit.ts';
import type { BacklogAnswer } from '../../lib/live/messages.ts';
import { countOf } from '../format.ts';
import { backlog, mostClicksIn, readBacklog } from '../state/backlog.ts';
import { isOnline, isVisible } from '../state/browser.ts';

const everyMs = 5_000;

/** The messages whose clicks may still be added, and what that means. */
export function Completeness() {
  useSignalEffect(() => {
    if (!isVisible.value || !isOnline.value) return;
    readBacklog();
    const timer = setInterval(readBacklog, everyMs);
    return () => clearInterval(timer);
  });
  const hasDeadLetters = (backlog.value?.deadLetters ?? 0) > 0;
  return (
    <details class={hasDeadLetters ? 'completeness is-incomplete' : 'completeness'}>
      <summary>{describeBacklog(backlog.value)}</summary>
      <p>
        Counted clicks are final. A click that is delivered again within 19 days isn't counted
        again. Pending messages have arrived at the service and will be counted within moments.
      </p>
      <p>
        A message holds one click, or up to {maxClicksInEnvelope} that were sent together. Until
        it's counted, nobody knows how many, or on whose links.
      </p>
      {hasDeadLetters && (
        <p>
          Some messages couldn't be counted. They're kept, and an operator can have them counted.
          Until then, these numbers may be too low.
        </p>
      )}
    </details>
  );
}

/** Messages, because the queues don't say how many clicks they hold. */
export function describeBacklog(known?: Pick<BacklogAnswer, 'waiting' | 'deadLetters'>): string {
  if (!known) return 'Pending clicks unknown';
  const { waiting, deadLetters } = known;
  if (waiting + deadLetters === 0) return 'No clicks pending';
  const pending = `${countOf(waiting, 'message')} pending`;
  if (deadLetters === 0) return pending;
  const most = countOf(mostClicksIn(deadLetters), 'click');
  const stuck = `Up to ${most} need an operator (${countOf(deadLetters, 'message')})`;
  return waiting === 0 ? stuck : `${stuck} · ${pending}`;
}
