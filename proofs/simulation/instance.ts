import { AsyncLocalStorage } from 'node:async_hooks';

/** The functions of the service, by their part in the simulation. */
export const countingRoles = ['aggregator', 'resolver', 'creator', 'reader'] as const;
export type CountingRole = (typeof countingRoles)[number];
export const roles = [...countingRoles, 'pusher'] as const;
export type Role = (typeof roles)[number];

/** The functions of packages/powertools-idempotency-transactional/examples/orders: the one behind the queue, and the one behind the endpoint. */
export const orderRoles = ['booker', 'clerk'] as const;
export type OrderRole = (typeof orderRoles)[number];
export type AnyRole = Role | OrderRole;

/** One execution environment of a Lambda function, as far as it can fail. */
export interface Instance {
  readonly name: string;
  readonly role: AnyRole;
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
