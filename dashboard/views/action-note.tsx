import { type Signal, useSignal } from '@preact/signals';
import { explainAction } from '../state/problems.ts';

/** What an action has done, or why it failed. */
export interface Note {
  text: string;
  isProblem?: boolean;
}

/** The note of an action. */
export function ActionNote({ note }: { note: Signal<Note | undefined> }) {
  const { value } = note;
  if (!value) return null;
  return (
    <p class={value.isProblem ? 'row-note is-problem' : 'row-note'} role="alert">
      {value.text}
    </p>
  );
}

/**
 * Runs one action at a time. The note has the text that it returns or, if it fails, the outcome and
 * the reason. Returns whether it succeeded.
 */
export function useAction(note: Signal<Note | undefined>) {
  const isRunning = useSignal(false);
  const act = async (failure: string, run: () => Promise<string | undefined>): Promise<boolean> => {
    if (isRunning.value) return false;
    isRunning.value = true;
    note.value = undefined;
    try {
      const text = await run();
      note.value = text === undefined ? undefined : { text };
      return true;
    } catch (error) {
      note.value = { text: explainAction(failure, error), isProblem: true };
      return false;
    } finally {
      isRunning.value = false;
    }
  };
  return { isRunning, act };
}
