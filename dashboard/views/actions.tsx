import { type Signal, useSignal } from '@preact/signals';
import { explainAction } from '../state/problems.ts';

// A browser may begin to read a file after the click.
const keepMs = 60_000;

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
 * Runs an action. The note gets the text that it returns or, if it fails, the outcome and the reason.
 * Returns whether it succeeded.
 */
export async function report(
  note: Signal<Note | undefined>,
  failure: string,
  run: () => Promise<unknown>,
): Promise<boolean> {
  try {
    const text = await run();
    if (typeof text === 'string') note.value = { text };
    return true;
  } catch (error) {
    note.value = { text: explainAction(failure, error), isProblem: true };
    return false;
  }
}

/** Runs one action at a time, and reports it. */
export function useAction(note: Signal<Note | undefined>) {
  const isRunning = useSignal(false);
  const act = async (failure: string, run: () => Promise<unknown>): Promise<boolean> => {
    if (isRunning.value) return false;
    isRunning.value = true;
    note.value = undefined;
    const isDone = await report(note, failure, run);
    isRunning.value = false;
    return isDone;
  };
  return { isRunning, act };
}

/** Saves a file among the browser's downloads. */
export function saveFile(name: string, parts: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(parts));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), keepMs);
}

/** Saves files of the API. The note says which one, or why it failed. */
export function useDownload() {
  const note = useSignal<Note>();
  /** `read` reads the file, a part at a time. It throws `ApiError`. */
  const save = (name: string, read: () => AsyncIterable<Blob>) => {
    note.value = { text: `Downloading ${name}…` };
    return report(note, `${name} wasn't downloaded.`, async () => {
      saveFile(name, await Array.fromAsync(read()));
      return `Downloaded ${name}.`;
    });
  };
  return { note, save };
}
