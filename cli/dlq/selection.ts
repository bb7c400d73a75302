import type { Connection } from '../connection.ts';
import {
  type DeadLetter,
  type Outcome,
  type WalkOptions,
  walkDeadLetters,
} from './dead-letters.ts';
import { type Diagnosis, diagnose, type Reason } from './diagnose.ts';

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
  { reason, code, olderThan }: Selection,
  options: WalkOptions,
  visit: (deadLetter: DeadLetter, diagnosis: Diagnosis) => Promise<Outcome>,
) {
  const visitSelected = async (deadLetter: DeadLetter) => {
    const diagnosis = await diagnose(deadLetter.body, table);
    const isSelected =
      (reason === undefined || reason.includes(diagnosis.reason)) &&
      (code === undefined || code === diagnosis.code) &&
      (olderThan === undefined || Date.now() - deadLetter.firstSentMs > olderThan);
    return isSelected ? visit(deadLetter, diagnosis) : 'stays';
  };
  return walkDeadLetters(clickDlq, visitSelected, options);
}
