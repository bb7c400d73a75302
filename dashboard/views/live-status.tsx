import type { LiveState } from '../state/live.ts';
import { live } from '../state/services.ts';

const texts: Record<LiveState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  behind: 'Behind. Refreshing every few seconds.',
  failing: 'Not updated. Retrying every few seconds.',
  expired: 'Not updated. Sign in again.',
  offline: 'Offline. Updates resume automatically.',
};

/** Whether the numbers update automatically. It rarely changes, so screen readers announce it. */
export function LiveStatus() {
  const state = live.state.value;
  return (
    <p class={`live-status is-${state}`} role="status">
      <span class="live-dot" />
      {texts[state]}
    </p>
  );
}
