import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog. Once it's closed, the focus is where it was before. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** The end of a dialog's form: what's wrong with it as a whole, and its buttons. */
export function FormEnd({ problem, isSending, submit, sending }: FormEndProps) {
  return (
    <>
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <p class="dialog-buttons">
        <CloseButton text="Cancel" />
        <Button kind="primary" type="submit" aria-disabled={isSending}>
          {isSending ? sending : submit}
        </Button>
      </p>
    </>
  );
}

interface FormEndProps {
  problem?: string;
  isSending: boolean;
  /** The button's text, and the one while the form is sent. */
  submit: string;
  sending: string;
}

/** A button that closes the dialog around it. */
export function CloseButton({ text }: { text: string }) {
  return (
    <Button onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
      {text}
    </Button>
  );
}
