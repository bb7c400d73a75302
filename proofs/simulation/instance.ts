import { AsyncLocalStorage } from 'node:async_hooks';

/** The service's functions. */
export type Role = 'aggregator' | 'resolver' | 'owner' | 'purger' | 'replicator';

/** An execution environment of a Lambda function, with its failures. */
export interface Instance {
  readonly name: string;
  readonly role: Role;
  dead: boolean;
  /** Epoch milliseconds. Until then, it receives neither answers nor timers. */
  frozenUntilMs: number;
  /** Called when a fault kills it. */
  onDeath?: () => void;
}

/**
 * The invocation on whose behalf code runs. An invocation that Middy ended early continues in its
 * instance, concurrently with the next one.
 */
export const currentInvocation = new AsyncLocalStorage<string>();

/** The world's events. A line is built only if the trace is read. */
export interface Trace {
  note(text: () => string): void;
}

/** Schedules events in virtual time. */
export interface Scheduler {
  readonly nowMs: number;
  /** Runs `action` after a delay, optionally on behalf of an instance. Returns a function that cancels it. */
  after(delayMs: number, action: () => void, owner?: Instance): () => void;
}

/** Delivers an event to an instance: at once, when it thaws, or never if it is dead. */
export function deliver(time: Scheduler, instance: Instance, event: () => void): void {
  if (instance.dead) return;
  const frozenMs = instance.frozenUntilMs - time.nowMs;
  if (frozenMs > 0) time.after(frozenMs, event, instance);
  else event();
}
