import { useSignal } from '@preact/signals';
import { restoreLink } from '../state/deleted-links.ts';
import { unconfirmed } from '../state/problems.ts';
import { type Note, useAction } from './actions.tsx';
import { Button } from './button.tsx';
import { focusFirst } from './dialog.tsx';

/** Says which link was deleted, and undoes it. The row that had the focus is gone. */
export function DeletedNote({ code }: { code: string }) {
  const { note, restore } = useRestore();
  return (
    <div ref={focusFirst} class="notice is-plain" role="alert">
      <div>{note.value?.text ?? `${code} is deleted. You can restore it for 90 days.`}</div>
      <Button onClick={() => restore(code)}>Undo</Button>
    </div>
  );
}

/** Restores links one at a time, and says why one wasn't. */
export function useRestore() {
  const note = useSignal<Note>();
  const { act } = useAction(note);
  const restore = (code: string) =>
    act(unconfirmed('the link was restored'), () => restoreLink(code));
  return { note, restore };
}
