import { type Signal, useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { keep } from '../state/arrangement.ts';
import { updateLink } from '../state/links.ts';
import { explainAction, unconfirmed } from '../state/problems.ts';
import { announcement } from '../state/services.ts';
import { ActionNote, type Note } from './action-note.tsx';
import { Button } from './button.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
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
  const note = useSignal<Note | undefined>(undefined);
  const [opened, setOpened] = useState<'delete' | 'edit' | 'qr' | undefined>(undefined);
  const isChanging = useSignal(false);
  const open = (dialog: typeof opened) => {
    note.value = undefined;
    keep(code);
    setOpened(dialog);
  };
  const close = () => setOpened(undefined);
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
      note.value = { text };
    } catch (error) {
      const outcome = unconfirmed(`the link was ${next ? 'disabled' : 'enabled'}`);
      note.value = { text: explainAction(outcome, error), isProblem: true };
    }
    isChanging.value = false;
  };
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
      {opened === 'edit' && (
        <EditDialog link={link} note={note} onUpdate={onUpdate} onClose={close} />
      )}
      {opened === 'delete' && <DeleteDialog code={code} onClose={close} />}
      {opened === 'qr' && <QrDialog code={code} shortUrl={shortUrl} onClose={close} />}
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
