import type { ClientMessage } from '../../lib/live/client-messages.ts';
import type { ServerMessage } from '../../lib/live/messages.ts';

/** The limits on the codes in a message, and on the links that a connection watches. */
const codesPerMessage = 25;
export const watchedLinks = 100;

// API Gateway closes a connection that is idle for 10 minutes.
const pingEveryMs = 4 * 60_000;
const pongWithinMs = 8_000;
const gatherMs = 200;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;

interface LiveSocketOptions {
  /** Opens a connection with a valid token. Rejects if that fails. */
  open: () => Promise<WebSocket>;
  onMessage: (message: ServerMessage) => void;
  /** Called when the connection opens and closes. */
  onOpen: (isOpen: boolean) => void;
}

/**
 * The delay before the next attempt. Exponential backoff up to half a minute, with jitter between
 * half of it and all of it, so a page's viewers don't reconnect at the same time.
 */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** attempt);
  return ceiling / 2 + (random * ceiling) / 2;
}

/** Connects, reconnects, and then watches the same links again. */
export function connect(options: LiveSocketOptions) {
  let wanted: ReadonlySet<string> = new Set();
  let watched: ReadonlySet<string> = new Set();
  let socket: WebSocket | undefined;
  let isOpen = false;
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
    watched = wanted;
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
    timers.set('reconnect', dial, backoffMs(attempt++, Math.random()));
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
        socket = opened;
        Object.assign(opened, { onopen: onOpen, onclose: onClose, onmessage: onMessage });
      },
      () => onClose(),
    );
  }

  dial();
  return {
    /** Replaces the set of watched links, which has at most {@link watchedLinks}. */
    watch(codes: ReadonlySet<string>) {
      wanted = codes;
      timers.set('sync', sync, gatherMs);
    },
    /** Connects at once if it's disconnected; otherwise checks whether the connection is alive. */
    wake() {
      if (isOpen) ping();
      else if (timers.has('reconnect')) dial();
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

const types: readonly ServerMessage['type'][] = ['watching', 'counts', 'pong', 'error'];

/** Parses a message from the service. Undefined if it's from a later version. */
function parseMessage(text: unknown): ServerMessage | undefined {
  try {
    const message = JSON.parse(`${text}`);
    return types.includes(message?.type) ? message : undefined;
  } catch {
    return undefined;
  }
}
