import type { LiveState } from '../state/live.ts';
import { live } from '../state/services.ts';

const texts: Record<LiveState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  behind: 'Behind; reading every few seconds',
  offline: 'Offline; goes on by itself',
};

/** Whether the numbers come by themselves. It changes seldom, so a screen reader hears of it. */
export function LiveStatus() {
  const state = live.state.value;
  return (
    <p class={`live-status is-${state}`} role="status">
      <span class="live-dot" />
      {texts[state]}
    </p>
  );
}
