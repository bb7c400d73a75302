import type { ClientMessage } from '../../lib/live/client-messages.ts';
import type { ServerMessage } from '../../lib/live/messages.ts';
import { parseMessage } from './messages.ts';

/** The limits on the codes in a message, and on the links that a connection watches. */
const codesPerMessage = 25;
export const watchedLinks = 100;

// API Gateway closes a connection that is idle for 10 minutes.
const pingEveryMs = 4 * 60_000;
const pongWithinMs = 8_000;
const gatherMs = 200;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;

/** The subset of WebSocket that is used. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
}

interface LiveSocketOptions {
  /** Opens a connection with a valid token. Rejects if that fails. */
  open: () => Promise<Socket>;
  onMessage: (message: ServerMessage) => void;
  /** Called when the connection opens and closes. */
  onOpen: (isOpen: boolean) => void;
  random?: () => number;
}

/**
 * The delay before the next attempt. Exponential backoff up to half a minute, with jitter between
 * half of it and all of it, so a page's viewers don't reconnect at the same time.
 */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** attempt);
  return ceiling / 2 + (random * ceiling) / 2;
}

/** Connects, reconnects until it's stopped, and then watches the same links again. */
export function connect({ random = Math.random, ...options }: LiveSocketOptions) {
  let wanted = new Set<string>();
  let watched = new Set<string>();
  let socket: Socket | undefined;
  let isOpen = false;
  let isStopped = false;
  let attempt = 0;
  const timers = createTimers();

  const send = (message: ClientMessage) => socket?.send(JSON.stringify(message));
  const request = (action: 'watch' | 'unwatch', codes: string[]) => {
    for (let first = 0; first < codes.length; first += codesPerMessage) {
      send({ action, codes: codes.slice(first, first + codesPerMessage) });
    }
  };
  const sync = () => {
    if (!isOpen) return;
    const added = [...wanted].filter((code) => !watched.has(code));
    const removed = [...watched].filter((code) => !wanted.has(code));
    // Unwatch first, because the number of watched links is limited.
    request('unwatch', removed);
    request('watch', added);
    watched = new Set(wanted);
  };
  // Sent even while pushes arrive: only the page's own messages keep the connection alive.
  const ping = () => {
    send({ action: 'ping' });
    timers.set('ping', ping, pingEveryMs);
    timers.set('pong', () => socket?.close(), pongWithinMs);
  };
  const onOpen = () => {
    isOpen = true;
    attempt = 0;
    watched = new Set();
    timers.set('ping', ping, pingEveryMs);
    options.onOpen(true);
    sync();
  };
  const onClose = () => {
    socket = undefined;
    timers.clear('pong', 'ping');
    if (isOpen) options.onOpen(false);
    isOpen = false;
    if (!isStopped) timers.set('reconnect', dial, backoffMs(attempt++, random()));
  };
  const onMessage = ({ data }: { data: unknown }) => {
    const message = parseMessage(data);
    timers.clear('pong');
    if (message) options.onMessage(message);
  };
  function dial(): void {
    timers.clear('reconnect');
    options.open().then(
      (opened) => {
        if (isStopped) return opened.close();
        socket = opened;
        Object.assign(opened, { onopen: onOpen, onclose: onClose, onmessage: onMessage });
      },
      () => onClose(),
    );
  }

  dial();
  return {
    /** Replaces the set of watched links. */
    watch(codes: Iterable<string>) {
      wanted = new Set([...codes].slice(0, watchedLinks));
      timers.set('sync', sync, gatherMs);
    },
    /** Connects at once if it's disconnected; otherwise checks whether the connection is alive. */
    wake() {
      if (isOpen) ping();
      else if (timers.has('reconnect')) dial();
    },
    stop() {
      isStopped = true;
      timers.clear('sync', 'reconnect', 'ping', 'pong');
      socket?.close();
    },
  };
}

/** Named timers. Setting one again replaces it. */
function createTimers() {
  const running = new Map<string, ReturnType<typeof setTimeout>>();
  const clear = (...names: string[]) => {
    for (const name of names) {
      clearTimeout(running.get(name));
      running.delete(name);
    }
  };
  return {
    clear,
    has: (name: string) => running.has(name),
    set(name: string, run: () => void, ms: number) {
      clear(name);
      const fire = () => {
        running.delete(name);
        run();
      };
      running.set(name, setTimeout(fire, ms));
    },
  };
}
