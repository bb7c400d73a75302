import { AsyncLocalStorage } from 'node:async_hooks';

export type Role = 'aggregator' | 'resolver' | 'creator' | 'reader';

/** One running copy of a function: everything that it does carries its name with it. */
export interface Process {
  readonly name: string;
  readonly role: Role;
  dead: boolean;
  /** Until then nothing reaches it: no answer and no timer. */
  frozenUntilMs: number;
  /** What the world does when it dies. */
  onDeath?: () => void;
}

const processes = new AsyncLocalStorage<Process>();

/** The process on whose behalf the running code runs; undefined for the world itself. */
export function currentProcess(): Process | undefined {
  return processes.getStore();
}

/** Runs code as that process. */
export function runAs<T>(process: Process, code: () => T): T {
  return processes.run(process, code);
}

interface Scheduler {
  readonly nowMs: number;
  after(delayMs: number, action: () => void): () => void;
}

/** Hands an event to a process: at once, when it thaws, or never if it is dead. */
export function deliver(time: Scheduler, process: Process | undefined, event: () => void): void {
  const frozenMs = (process?.frozenUntilMs ?? 0) - time.nowMs;
  if (!process) event();
  else if (process.dead) return;
  else if (frozenMs > 0) time.after(frozenMs, () => deliver(time, process, event));
  else runAs(process, event);
}
