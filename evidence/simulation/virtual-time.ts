import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { type Clock, install } from '@sinonjs/fake-timers';
import { currentProcess, deliver } from './process.ts';

const realSetImmediate = setImmediate;
/** The longest that a timer can run; a longer one is set again. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Time that passes only from event to event. It takes the place of Date, of the timers and of
 * AbortSignal.timeout, so that the code under test lives in it without knowing. A timer belongs
 * to the process that set it: it stops while that is frozen and never fires once that is dead.
 */
export class VirtualTime {
  readonly #clock: Clock;
  readonly #real = { setTimeout, clearTimeout };
  readonly #realAbortTimeout = AbortSignal.timeout;
  #fired = 0;

  constructor(startMs: number) {
    this.#clock = install({ now: startMs, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const setOwnedTimeout = (action: () => void, delayMs = 0) => {
      const process = currentProcess();
      return { cancel: this.after(delayMs, () => deliver(this, process, action)), unref() {} };
    };
    const clearOwnedTimeout = (timer?: { cancel?: () => void }) => timer?.cancel?.();
    useTimers({ setTimeout: setOwnedTimeout, clearTimeout: clearOwnedTimeout });
    AbortSignal.timeout = (delayMs) => {
      const controller = new AbortController();
      setOwnedTimeout(
        () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
        delayMs,
      );
      return controller.signal;
    };
  }

  get nowMs(): number {
    return this.#clock.now;
  }

  /** Schedules an event of the world; gives a function that takes it back. */
  after(delayMs: number, action: () => void): () => void {
    if (delayMs > maxDelayMs) {
      let cancel = this.after(maxDelayMs, () => {
        cancel = this.after(delayMs - maxDelayMs, action);
      });
      return () => cancel();
    }
    const timer = this.#clock.setTimeout(() => {
      this.#fired += 1;
      action();
    }, Math.ceil(delayMs));
    return () => this.#clock.clearTimeout(timer);
  }

  /** Runs event after event until the condition holds; false if there are no more events. */
  async runUntil(isReached: () => boolean): Promise<boolean> {
    await letCodeRun();
    while (!isReached()) {
      const fired = this.#fired;
      this.#clock.next();
      if (this.#fired === fired) return false;
      await letCodeRun();
    }
    return true;
  }

  uninstall(): void {
    this.#clock.uninstall();
    useTimers(this.#real);
    AbortSignal.timeout = this.#realAbortTimeout;
  }
}

// Middy imports its timers from node:timers.
function useTimers(functions: object): void {
  Object.assign(globalThis, functions);
  Object.assign(timers, functions);
  syncBuiltinESMExports();
}

/** Lets the code under test run as far as it can: all promises and ticks, since it has no real I/O. */
export function letCodeRun(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(() => resolve()));
}
