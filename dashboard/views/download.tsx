import { useSignal } from '@preact/signals';
import { explainAction } from '../state/problems.ts';
import { saveFile } from '../state/save-file.ts';
import { ActionNote, type Note } from './action-note.tsx';

interface Props {
  label: string;
  file: string;
  /** Reads the file, a part at a time. Throws `ApiError`. */
  read: () => AsyncIterable<Blob>;
}

/** A button that saves a file of the API. */
export function Download({ label, file, read }: Props) {
  const isReading = useSignal(false);
  const status = useSignal('');
  const problem = useSignal<Note | undefined>(undefined);
  const save = async () => {
    if (isReading.value) return;
    isReading.value = true;
    status.value = '';
    problem.value = undefined;
    try {
      const parts: Blob[] = [];
      for await (const part of read()) parts.push(part);
      saveFile(file, parts);
      status.value = `Downloaded ${file}.`;
    } catch (error) {
      const text = explainAction(`${file} wasn't downloaded.`, error);
      problem.value = { text, isProblem: true };
    }
    isReading.value = false;
  };
  return (
    <>
      <button type="button" class="button" aria-disabled={isReading.value} onClick={save}>
        {isReading.value ? 'Downloading…' : label}
      </button>
      <span class="hidden" role="status">
        {status}
      </span>
      <ActionNote note={problem} />
    </>
  );
}
