import type { Connection } from '../connection.ts';
import { type DeadLetter, type WalkOptions, walkDeadLetters } from './dead-letters.ts';
import { type Diagnosis, diagnose, findableReasons, type Reason } from './diagnose.ts';

/** Conditions for dead letters. A missing one matches all. */
export interface Selection {
  reason?: Reason[];
  code?: string;
  /** Milliseconds since the click first arrived in ClickQueue or ClickRuleDLQ. */
  olderThan?: number;
}

/** Diagnoses each dead letter in ClickDLQ, and visits the selected ones. The others stay. */
export function walkSelected(
  { clickDlq, table }: Connection,
  selection: Selection,
  options: WalkOptions,
  visit: (letter: DeadLetter, diagnosis: Diagnosis) => Promise<'stays' | 'gone'>,
) {
  const visitSelected = async (letter: DeadLetter) => {
    const diagnosis = await diagnose(letter.body, table);
    return isSelected(selection, letter, diagnosis) ? visit(letter, diagnosis) : 'stays';
  };
  return walkDeadLetters(clickDlq, visitSelected, options);
}

function isSelected(
  { reason, code, olderThan }: Selection,
  letter: DeadLetter,
  diagnosis: Diagnosis,
): boolean {
  return (
    (reason === undefined || reason.includes(diagnosis.reason)) &&
    (code === undefined || code === diagnosis.code) &&
    (olderThan === undefined || Date.now() - letter.firstSentMs > olderThan)
  );
}

export class Tally {
  readonly #counts = new Map<Reason, number>();

  add(reason: Reason): void {
    this.#counts.set(reason, this.count(reason) + 1);
  }

  count(reason: Reason): number {
    return this.#counts.get(reason) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((total, count) => total + count, 0);
  }

  /** For example `3 countable, 1 unknown-link`; empty if there are none. */
  describe(reasons: Reason[] = findableReasons): string {
    const counted = reasons.filter((reason) => this.count(reason) > 0);
    return counted.map((reason) => `${this.count(reason)} ${reason}`).join(', ');
  }
}

/** `1 dead letter`, `2 dead letters`. */
export function countLetters(count: number): string {
  return `${count} dead ${count === 1 ? 'letter' : 'letters'}`;
}
