import { effect, signal } from '@preact/signals';
import type { DayCounts, LinkCounts, ServerMessage } from '../../lib/live/messages.ts';
import { isOnline, isVisible } from './browser.ts';
import { counterOf, takeCounts } from './counters.ts';
import { noCounts } from './counts.ts';
import { connect, type Socket } from './live-socket.ts';
import { createMissedPushes } from './missed-pushes.ts';

export type LiveState = 'connecting' | 'live' | 'behind' | 'offline';

/** The current view. It receives its pushed days, and can be read again. */
interface Screen {
  /** Never rejects. Failures are shown as a problem. */
  reload: () => Promise<void>;
  takeDay?: (code: string, day: DayCounts) => void;
}

const tickMs = 1_000;
const patienceMs = 4_000;
const reloadWhenBehindMs = 5_000;
const reloadWhenLiveMs = 30_000;
const gatherMs = 300;

/** Keeps the numbers on screen up to date by pushes, or by polling when pushes fail. */
export function createLive(liveUrl: string, token: () => Promise<string>) {
  const state = signal<LiveState>('connecting');
  const missed = createMissedPushes(() => Date.now());
  let socket: ReturnType<typeof connect> | undefined;
  let isOpen = false;
  let closedAt = Date.now();
  let watched: Iterable<string> = [];
  let screen: Screen = { reload: async () => undefined };
  const reader = createReader(() => screen.reload());

  const judge = (): LiveState => {
    if (!isOnline.value) return 'offline';
    if (isOpen) return missed.isMissing() ? 'behind' : 'live';
    return Date.now() - closedAt > patienceMs ? 'behind' : state.value;
  };
  const tick = () => {
    state.value = judge();
    if (!isVisible.value || state.value === 'offline') return;
    const everyMs = state.value === 'behind' ? reloadWhenBehindMs : reloadWhenLiveMs;
    if (reader.ageMs() > everyMs) reader.read();
  };
  const onMessage = (message: ServerMessage) => {
    missed.sawMessage();
    if (message.type === 'watching') {
      for (const { code, ...totals } of message.links) {
        missed.sawWatching(code, totals.clicks);
        // If the total rose while it wasn't watched, its days are outdated. The first read may
        // still be pending.
        const isKnown = counterOf(code).peek() !== noCounts;
        if (takeCounts(code, totals) && isKnown) reader.readSoon();
      }
    }
    if (message.type === 'counts') for (const link of message.links) takePush(link);
    tick();
  };
  const takePush = ({ code, ...news }: LinkCounts) => {
    if (news.clicks !== undefined) missed.sawPush(code, news.clicks);
    takeCounts(code, news);
    for (const day of news.days) screen.takeDay?.(code, day);
  };
  const onOpen = (opened: boolean) => {
    isOpen = opened;
    closedAt = Date.now();
    missed.forget();
    missed.sawRequest(watched);
    tick();
  };

  const watch = (codes: Iterable<string>) => {
    watched = codes;
    missed.sawRequest(codes);
    socket?.watch(codes);
  };

  return {
    state,
    start() {
      const open = async () => new WebSocket(liveUrl, ['click-tally', await token()]) as Socket;
      socket = connect({ open, onMessage, onOpen });
      socket.watch(watched);
      setInterval(tick, tickMs);
      onReturn(() => {
        socket?.wake();
        reader.readSoon();
      });
    },
    /** Replaces the current view. */
    show(shown: Screen, codes: Iterable<string>) {
      screen = shown;
      watch(codes);
    },
    watch,
    /** Reports a count that the API returned, so that a missing push is noticed. */
    sawRead: missed.sawRead,
  };
}

/** Runs a function whenever the page becomes visible or goes online. */
function onReturn(run: () => void): void {
  let wasAway = false;
  effect(() => {
    const isAway = !isVisible.value || !isOnline.value;
    if (wasAway && !isAway) run();
    wasAway = isAway;
  });
}

/** Reloads the current view, one reload at a time. */
function createReader(reload: Screen['reload']) {
  let readAt = Date.now();
  let isReading = false;
  let soon: ReturnType<typeof setTimeout> | undefined;
  const read = async () => {
    if (isReading) return;
    isReading = true;
    await reload();
    isReading = false;
    readAt = Date.now();
  };
  return {
    read,
    readSoon() {
      clearTimeout(soon);
      soon = setTimeout(read, gatherMs);
    },
    /** The time since the last reload ended. */
    ageMs: () => Date.now() - readAt,
  };
}

export type Live = ReturnType<typeof createLive>;
