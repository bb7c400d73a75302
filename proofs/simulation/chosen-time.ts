import { deliver, type Instance, type Scheduler } from './instance.ts';

/** Timers up to this are backoffs. Longer ones are deadlines, which never fire here. */
const maxBackoffMs = 1_000;
export const startMs = Date.UTC(2026, 4, 26, 10);

/** A pending event of the world. */
export interface Step {
  name: string;
  instance: Instance | undefined;
  kind: 'arrival' | 'answer' | 'batch answer' | 'wait' | 'transaction end';
  run: () => void;
}

/** The names of what a choice reads or changes. */
export type Touched = ReadonlySet<string> | 'everything';

/** Time that stands still. Its events happen when they are chosen. */
export class ChosenTime implements Scheduler {
  readonly nowMs = startMs;
  steps: Step[] = [];
  #transactions = 0;

  after(delayMs: number, action: () => void, owner?: Instance): () => void {
    if (delayMs > maxBackoffMs) return () => {};
    if (!owner) {
      this.#transactions += 1;
      const name = `transaction ${this.#transactions} ends`;
      return this.add({ name, instance: undefined, kind: 'transaction end', run: action });
    }
    const run = () => deliver(this, owner, action);
    return this.add({ name: `${owner.name} has waited`, instance: owner, kind: 'wait', run });
  }

  add(step: Step): () => void {
    if (this.steps.some(({ name }) => name === step.name)) {
      throw new Error(`expected each step to have a unique name; got "${step.name}" twice`);
    }
    this.steps.push(step);
    return () => this.remove(step);
  }

  remove(step: Step): void {
    this.steps = this.steps.filter((other) => other !== step);
  }
}

/**
 * What a step reads or changes: an instance, by name, the table, or the one death. A transaction's end
 * doesn't touch an instance: if its sender dies before or after it, the answer is lost. A wait touches
 * everything, because all events affect which attempts may start.
 */
export function touchedBy({ kind, instance }: Step): Touched {
  const own = instance ? [instance.name] : [];
  switch (kind) {
    case 'answer':
      return new Set(own);
    case 'arrival':
    case 'batch answer':
    case 'transaction end':
      return new Set([...own, 'table']);
    case 'wait':
      return 'everything';
  }
}
