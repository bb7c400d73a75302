import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { countOf, formatTime, shortenUrl } from '../format.ts';
import { lastDeleted, readDeleted, restoreLink } from '../state/deleted-links.ts';
import { explainAction, unconfirmed } from '../state/problems.ts';
import { ActionNote, type Note, useAction } from './action-note.tsx';
import { Button } from './button.tsx';

const isOpen = signal(false);

/** Shows the deleted links. */
export const openDeleted = () => {
  isOpen.value = true;
};

/** Says which link was deleted, and undoes it. The row that had the focus is gone. */
export function DeletedNote() {
  const code = lastDeleted.value;
  return code === undefined ? null : <RestorableNote key={code} code={code} />;
}

function RestorableNote({ code }: { code: string }) {
  const { note, restore } = useRestore();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={box} class="notice is-plain" role="alert">
      <div>{note.value?.text ?? `${code} is deleted. You can restore it for 90 days.`}</div>
      <Button onClick={() => restore(code)}>Undo</Button>
    </div>
  );
}

/** The deleted links, each with a button that restores it. */
export function DeletedLinks() {
  return isOpen.value ? <OpenDeletedLinks /> : null;
}

function OpenDeletedLinks() {
  const [deleted, setDeleted] = useState<LinkAnswer[] | undefined>(undefined);
  const { note, restore } = useRestore();
  useEffect(() => {
    readDeleted().then(setDeleted, (error) => {
      const text = explainAction("The deleted links couldn't be loaded.", error);
      note.value = { text, isProblem: true };
    });
  }, [lastDeleted.value]);
  const bringBack = async (code: string) => {
    if (await restore(code)) setDeleted((all) => all?.filter((link) => link.code !== code));
  };
  return (
    <section class="import panel" aria-labelledby="deleted">
      <header class="panel-head">
        <h2 id="deleted">Deleted links</h2>
        <Button
          kind="quiet"
          onClick={() => {
            isOpen.value = false;
          }}
        >
          Close
        </Button>
      </header>
      <ActionNote note={note} />
      <p class="muted">
        {deleted?.length === 0
          ? 'There are none. Links stay here for 90 days after you delete them.'
          : 'They stay here for 90 days after you delete them.'}
      </p>
      <ul class="deleted">
        {deleted?.map(({ code, url, clicks, deletedAt = '' }) => (
          <li key={code}>
            <div>
              <p class="link-code">{code}</p>
              <p class="muted">
                <span title={url}>{shortenUrl(url)}</span> · {countOf(clicks, 'click')} · deleted{' '}
                {formatTime(deletedAt)}
              </p>
            </div>
            <Button aria-label={`Restore ${code}`} onClick={() => bringBack(code)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Restores links one at a time, and says why one wasn't. */
function useRestore() {
  const note = useSignal<Note | undefined>(undefined);
  const { act } = useAction(note);
  const restore = (code: string) =>
    act(unconfirmed('the link was restored'), () => restoreLink(code));
  return { note, restore };
}
