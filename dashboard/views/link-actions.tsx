import { type Signal, useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { hashOfCurrentList, keep } from '../state/arrangement.ts';
import { hash } from '../state/browser.ts';
import { deleteLink } from '../state/deleted-links.ts';
import { updateLink } from '../state/links.ts';
import { unconfirmed } from '../state/problems.ts';
import { parseRoute } from '../state/route.ts';
import { announcement } from '../state/services.ts';
import { ActionNote, type Note, useAction } from './actions.tsx';
import { Button } from './button.tsx';
import { Dialog, Form, type LinkDialogProps } from './dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { Menu } from './menu.tsx';
import { QrDialog } from './qr-dialog.tsx';

const copiedMs = 1_500;

interface Props {
  link: LinkAnswer;
  /** Puts all actions but the first into a menu. */
  hasMenu?: boolean;
  onUpdate?: (link: LinkAnswer) => void;
}

/** Copies the link, shows its QR code, edits, disables, enables or deletes it. A note has the result. */
export function LinkActions({ link, hasMenu = false, onUpdate }: Props) {
  const { code, shortUrl, disabled, disabledBy } = link;
  const note = useSignal<Note>();
  const [opened, setOpened] = useState<keyof typeof dialogs>();
  const Opened = opened && dialogs[opened];
  const { isRunning: isChanging, act } = useAction(note);
  const open = (dialog: typeof opened) => {
    note.value = undefined;
    keep(code);
    setOpened(dialog);
  };
  const close = () => setOpened(undefined);
  const change = (next: boolean) =>
    act(unconfirmed(`the link was ${next ? 'disabled' : 'enabled'}`), async () => {
      const updated = await updateLink(code, { disabled: next });
      onUpdate?.(updated);
      return next
        ? "Disabled. Within 30 seconds, visitors see that the link isn't available."
        : 'Enabled. Visitors are redirected again.';
    });
  const others = (
    <>
      <Button kind="quiet" onClick={() => open('edit')}>
        Edit
      </Button>
      <Button kind="quiet" onClick={() => open('qr')}>
        QR code
      </Button>
      {disabledBy !== 'operator' && (
        <Button kind="quiet" aria-disabled={isChanging.value} onClick={() => change(!disabled)}>
          {disabled ? 'Enable' : 'Disable'}
        </Button>
      )}
      <Button kind="quiet" onClick={() => open('delete')}>
        Delete
      </Button>
    </>
  );
  return (
    <>
      <div class="link-actions">
        <CopyButton shortUrl={shortUrl} note={note} />
        {hasMenu ? <Menu label={`More actions for ${code}`}>{others}</Menu> : others}
      </div>
      {Opened && <Opened link={link} note={note} onUpdate={onUpdate} onClose={close} />}
      <ActionNote note={note} />
    </>
  );
}

interface CopyProps {
  shortUrl: string;
  note: Signal<Note | undefined>;
  /** The button's name, for a text that isn't a short link. */
  label?: string;
  /** Whether it's the next step, as for a new link. */
  isPrimary?: boolean;
}

/** Copies the short link, or another text. */
export function CopyButton({ shortUrl, label, note, isPrimary = false }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(shortUrl);
      setCopied(true);
      announcement.value = 'Copied.';
      setTimeout(() => setCopied(false), copiedMs);
    } catch {
      const remedy = label ? 'Select the text above.' : `The short link is ${shortUrl}`;
      const text = `The browser blocked copying. ${remedy}`;
      note.value = { text, isProblem: true };
    }
  };
  return (
    <Button
      kind={isPrimary ? 'primary' : 'plain'}
      aria-label={label ?? `Copy ${shortUrl}`}
      onClick={copy}
    >
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}

/** Deletes a link once the viewer has confirmed it. */
function DeleteDialog({ link: { code }, note, onClose }: LinkDialogProps) {
  const remove = async () => {
    await deleteLink(code);
    // The list has a note that undoes it.
    if (parseRoute(hash.peek()).view === 'link') location.hash = hashOfCurrentList();
    onClose();
  };
  return (
    <Dialog title={`Delete ${code}?`} onClose={onClose}>
      <Form
        submit="Delete"
        sending="Deleting…"
        send={remove}
        inDoubt={unconfirmed('the link was deleted')}
        note={note}
      >
        {() => (
          <p>
            Within 30 seconds, visitors see that the link doesn't exist. For 90 days, you can
            restore it with its clicks. Then everything is gone, and anyone may use the code.
          </p>
        )}
      </Form>
    </Dialog>
  );
}

const dialogs = { edit: EditDialog, delete: DeleteDialog, qr: QrDialog };
