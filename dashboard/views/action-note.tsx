import type { Signal } from '@preact/signals';

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
