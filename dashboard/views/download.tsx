import { useSignal } from '@preact/signals';
import { type Note, report } from './action-note.tsx';

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
  const save = (name: string, read: () => AsyncIterable<Blob>) => {
    note.value = { text: `Downloading ${name}…` };
    return report(note, `${name} wasn't downloaded.`, async () => {
      saveFile(name, await Array.fromAsync(read()));
      return `Downloaded ${name}.`;
    });
  };
  return { note, save };
}
