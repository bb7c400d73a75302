import { type Signal, useSignal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { updateLink } from '../state/links.ts';
import { explainAction } from '../state/problems.ts';
import { ActionNote, type Note } from './action-note.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { QrDialog } from './qr-dialog.tsx';

const copiedMs = 1_500;
const noteMs = 15_000;

interface Props {
  link: LinkAnswer;
  onUpdate?: (link: LinkAnswer) => void;
}

/** Copies the link, shows its QR code, edits it, and disables or enables it. A note has the result. */
export function LinkActions({ link, onUpdate }: Props) {
  const { code, disabled, disabledBy } = link;
  const note = useSignal<Note | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const isChanging = useSignal(false);
  const change = async (next: boolean) => {
    if (isChanging.value) return;
    isChanging.value = true;
    note.value = undefined;
    try {
      const updated = await updateLink(code, { disabled: next });
      onUpdate?.(updated);
      const text = next
        ? "Disabled. Within 30 seconds, visitors see that the link isn't available."
        : 'Enabled. Visitors are redirected again.';
      const shown = { text, undo: () => undo(!next) };
      note.value = shown;
      setTimeout(() => {
        if (note.value === shown) note.value = undefined;
      }, noteMs);
    } catch (error) {
      const outcome = `The link wasn't ${next ? 'disabled' : 'enabled'}.`;
      note.value = { text: explainAction(outcome, error), isProblem: true };
    }
    isChanging.value = false;
  };
  const undo = async (next: boolean) => {
    // The button for undoing disappears, and would take the focus with it.
    button.current?.focus();
    await change(next);
    if (!note.value?.isProblem) note.value = { text: 'Undone.' };
  };
  return (
    <>
      <div class="link-actions">
        <ShareActions code={code} shortUrl={link.shortUrl} note={note} />
        <EditAction link={link} note={note} onUpdate={onUpdate} />
        {disabledBy !== 'operator' && (
          <button
            ref={button}
            type="button"
            class="button is-quiet"
            aria-label={`${disabled ? 'Enable' : 'Disable'} ${code}`}
            aria-disabled={isChanging.value}
            onClick={() => change(!disabled)}
          >
            <Swap texts={['Disable', 'Enable']} isSecond={disabled} />
          </button>
        )}
      </div>
      <ActionNote note={note} />
    </>
  );
}

function EditAction({ link, note, onUpdate }: Props & { note: Signal<Note | undefined> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="button is-quiet"
        aria-label={`Edit ${link.code}`}
        onClick={() => {
          note.value = undefined;
          setOpen(true);
        }}
      >
        Edit
      </button>
      {isOpen && (
        <EditDialog link={link} note={note} onUpdate={onUpdate} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** Shows one of two texts in the space of the longer one, so nothing moves. */
function Swap({ texts, isSecond }: { texts: [string, string]; isSecond: boolean }) {
  const [first, second] = texts;
  return (
    <span class="swap">
      <span class={isSecond ? 'is-gone' : ''}>{first}</span>
      <span class={isSecond ? '' : 'is-gone'}>{second}</span>
    </span>
  );
}

interface ShareProps {
  code: string;
  shortUrl: string;
  note: Signal<Note | undefined>;
  /** For a link that has just been created: its button is the next step. */
  isNew?: boolean;
}

/** Copies the short URL, and shows its QR code. */
export function ShareActions({ code, shortUrl, note, isNew = false }: ShareProps) {
  const [isCopied, setCopied] = useState(false);
  const [isQrOpen, setQrOpen] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(shortUrl);
      setCopied(true);
      setTimeout(() => setCopied(false), copiedMs);
    } catch {
      const text = `The browser blocked copying. The short URL is ${shortUrl}`;
      note.value = { text, isProblem: true };
    }
  };
  return (
    <>
      <button
        type="button"
        class={isNew ? 'button is-primary is-copy' : 'button is-copy'}
        aria-label={`Copy ${shortUrl}`}
        onClick={copy}
      >
        <Swap texts={['Copy', 'Copied']} isSecond={isCopied} />
      </button>
      <button
        type="button"
        class="button is-quiet"
        aria-label={`QR code of ${code}`}
        onClick={() => setQrOpen(true)}
      >
        QR code
      </button>
      {isQrOpen && <QrDialog shortUrl={shortUrl} onClose={() => setQrOpen(false)} />}
      <span class="hidden" role="status">
        {isCopied && 'Copied.'}
      </span>
    </>
  );
}
