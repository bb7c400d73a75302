import { AsyncLocalStorage } from 'node:async_hooks';

/** The functions of each service, by their part in the simulation; the first is behind the queue. */
export const rolesOf = {
  clicks: ['aggregator', 'resolver', 'creator', 'reader'],
  orders: ['booker', 'clerk'],
} as const;
/** What can be simulated: click-tally itself, or its persistence layer in the example of orders. */
export type ServiceName = keyof typeof rolesOf;
export const serviceNames: readonly ServiceName[] = ['clicks', 'orders'];
export type ClickRole = (typeof rolesOf.clicks)[number];
type OrderRole = (typeof rolesOf.orders)[number];
export type Role = ClickRole | OrderRole | 'pusher';

/** One execution environment of a Lambda function, as far as it can fail. */
export interface Instance {
  readonly name: string;
  readonly role: Role;
  dead: boolean;
  /** Epoch milliseconds; until then nothing reaches it, neither an answer nor a timer. */
  frozenUntilMs: number;
  /** Called when a fault kills it. */
  onDeath?: () => void;
}

/**
 * The invocation on whose behalf code runs. An invocation that Middy ended early goes on in its
 * instance, beside the next one.
 */
export const currentInvocation = new AsyncLocalStorage<string>();

/** Schedules events in virtual time. */
export interface Scheduler {
  readonly nowMs: number;
  /** Runs `action` after a delay, on behalf of an instance if one is given; returns a cancel. */
  after(delayMs: number, action: () => void, owner?: Instance): () => void;
}

/** Hands an event to an instance: at once, when it thaws, or never if it is dead. */
export function deliver(time: Scheduler, instance: Instance, event: () => void): void {
  if (instance.dead) return;
  const frozenMs = instance.frozenUntilMs - time.nowMs;
  if (frozenMs > 0) time.after(frozenMs, event, instance);
  else event();
}
