import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { DayCounts, LinkCounts, ServerMessage } from '../../lib/live/messages.ts';
import { isOnline, isVisible } from './browser.ts';
import { counterOf, noCounts, takeCounts } from './counts.ts';
import { createSocket } from './live-socket.ts';
import { createMissedPushes } from './missed-pushes.ts';
import type { Problem } from './problems.ts';

/**
 * The one state of the connection, which everything on the page agrees with. `behind`: pushes are
 * missing. `loading`: the view doesn't have numbers yet, and `slow`: still not after a while.
 * `failing`: the view couldn't be read. `expired`: the viewer must sign in again.
 */
export type LiveState = Pushes | 'loading' | 'slow' | 'failing' | 'expired' | 'offline';
type Pushes = 'connecting' | 'live' | 'behind';

/** The current view. It receives its pushed days, and can be read again. */
interface Screen {
  /** Never rejects. Failures are shown as the problem. */
  reload: () => Promise<void>;
  problem: ReadonlySignal<Problem | undefined>;
  /** Whether it shows numbers, even if they aren't the newest. */
  hasNumbers: ReadonlySignal<boolean>;
  /** The shortest time between two reloads. */
  restMs?: () => number;
  takeDay?: (code: string, day: DayCounts) => void;
}

const noScreen: Screen = {
  reload: async () => undefined,
  problem: signal(undefined),
  hasNumbers: signal(false),
};

interface LiveOptions {
  url: string;
  token: () => Promise<string>;
  /** Whether the viewer must sign in again. */
  isExpired: () => boolean;
}

const tickMs = 1_000;
const patienceMs = 4_000;
const slowMs = 4_000;
const reloadWhenBehindMs = 5_000;
const reloadWhenLiveMs = 30_000;

/** Keeps the numbers on screen up to date by pushes, or by polling when pushes fail. */
export function createLive({ url, token, isExpired }: LiveOptions) {
  const pushes = signal<Pushes>('connecting');
  const screen = signal<Screen>(noScreen);
  const isSlow = signal(false);
  let hadNumbersAt = Date.now();
  const state = computed<LiveState>(() => {
    if (!isOnline.value) return 'offline';
    if (isExpired()) return 'expired';
    const { problem, hasNumbers } = screen.value;
    if (problem.value?.action === 'retry') return 'failing';
    if (problem.value || hasNumbers.value) return pushes.value;
    return isSlow.value ? 'slow' : 'loading';
  });
  const missed = createMissedPushes(() => Date.now());
  let isOpen = false;
  let closedAt = Date.now();
  const reader = createReader(() => screen.peek().reload());

  const judge = (): Pushes => {
    if (isOpen) return missed.isMissing() ? 'behind' : 'live';
    return Date.now() - closedAt > patienceMs ? 'behind' : pushes.peek();
  };
  const tick = () => {
    pushes.value = judge();
    if (screen.peek().hasNumbers.peek()) hadNumbersAt = Date.now();
    isSlow.value = Date.now() - hadNumbersAt > slowMs;
    const now = state.peek();
    if (!isVisible.peek() || now === 'offline') return;
    const isBehind = now === 'behind' || now === 'failing';
    const everyMs = isBehind ? reloadWhenBehindMs : reloadWhenLiveMs;
    const restMs = screen.peek().restMs?.() ?? 0;
    const ageMs = Date.now() - reader.readAt;
    if (ageMs > Math.max(reader.isDue ? 0 : everyMs, restMs)) reader.read();
  };
  const onMessage = (message: ServerMessage) => {
    missed.sawMessage();
    if (message.type === 'watching') {
      for (const { code, ...totals } of message.links) {
        missed.sawWatching(code, totals.clicks);
        // If the total rose while it wasn't watched, its days are outdated. The first read may
        // still be pending.
        const isKnown = counterOf(code).peek() !== noCounts;
        if (takeCounts(code, totals) && isKnown) reader.isDue = true;
      }
    }
    if (message.type === 'counts') for (const link of message.links) takePush(link);
    tick();
  };
  const takePush = ({ code, ...news }: LinkCounts) => {
    if (news.clicks !== undefined) missed.sawPush(code, news.clicks);
    takeCounts(code, news);
    for (const day of news.days) screen.peek().takeDay?.(code, day);
  };
  const onOpen = (opened: boolean) => {
    isOpen = opened;
    closedAt = Date.now();
    missed.forget();
    tick();
  };
  const open = async () => new WebSocket(url, ['click-tally', await token()]);
  const socket = createSocket({ open, onMessage, onOpen, onWatch: missed.sawRequest });

  return {
    state,
    start() {
      socket.start();
      setInterval(tick, tickMs);
      onReturn(() => {
        socket.wake();
        reader.isDue = true;
      });
    },
    /** Replaces the current view. */
    show(shown: Screen, codes: Iterable<string>) {
      hadNumbersAt = Date.now();
      screen.value = shown;
      socket.watch(codes);
    },
    /** Watches the first 100 of the links. */
    watch: socket.watch,
    /** Reports a count that the API returned, so that a missing push is noticed. */
    sawRead: missed.sawRead,
  };
}

/** Calls the function whenever the page is in the foreground and online again. */
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
  let isReading = false;
  const reader = {
    /** When the last reload ended. */
    readAt: Date.now(),
    /** Whether the next reload mustn't wait until it's time. */
    isDue: false,
    async read() {
      if (isReading) return;
      isReading = true;
      reader.isDue = false;
      await reload();
      isReading = false;
      reader.readAt = Date.now();
    },
  };
  return reader;
}
