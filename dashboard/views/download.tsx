import { useSignal } from '@preact/signals';
import { explainAction } from '../state/problems.ts';
import type { Note } from './action-note.tsx';

// A browser may begin to read the file after the click.
const keepMs = 60_000;

/** Saves a file among the browser's downloads. */
export function saveFile(name: string, parts: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(parts));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), keepMs);
}

/** Saves files of the API. The note says which one, or why it failed. */
export function useDownload() {
  const note = useSignal<Note | undefined>(undefined);
  /** `read` reads the file, a part at a time. It throws `ApiError`. */
  const save = async (name: string, read: () => AsyncIterable<Blob>) => {
    note.value = { text: `Downloading ${name}…` };
    try {
      saveFile(name, await Array.fromAsync(read()));
      note.value = { text: `Downloaded ${name}.` };
    } catch (error) {
      const text = explainAction(`${name} wasn't downloaded.`, error);
      note.value = { text, isProblem: true };
    }
  };
  return { note, save };
}
