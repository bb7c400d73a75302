import { useSignal } from '@preact/signals';
import { explainAction } from '../state/problems.ts';
import { saveFile } from '../state/save-file.ts';
import type { Note } from './action-note.tsx';

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
