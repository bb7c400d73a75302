import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { explain, type FieldProblems, isInDoubt, toFields } from '../state/problems.ts';
import type { Note } from './actions.tsx';
import { Button } from './button.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * A modal dialog. It asks before it throws away what the viewer has entered. Once it's closed, the focus is
 * where it was before.
 */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isAsking = useSignal(false);
  const entered = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const ask = (event: Event) => {
    if (!dialog.current || event.target !== dialog.current) return;
    if (!hasEntries(dialog.current)) return;
    event.preventDefault();
    entered.current = document.activeElement as HTMLElement | null;
    isAsking.value = true;
  };
  const stay = () => {
    isAsking.value = false;
    entered.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // Browsers let a second Escape close a dialog without asking.
    event.preventDefault();
    if (isAsking.value) stay();
    else if (dialog.current) requestClose(dialog.current);
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-label={title}
      onCancel={ask}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <h2>{title}</h2>
      {children}
      {isAsking.value && (
        <div ref={focusFirst} class="discard" role="alertdialog" aria-label={discardQuestion}>
          <p>{discardQuestion}</p>
          <p class="dialog-buttons">
            <Button onClick={stay}>Keep editing</Button>
            <Button kind="primary" onClick={() => dialog.current?.close()}>
              Discard
            </Button>
          </p>
        </div>
      )}
    </dialog>
  );
}

const discardQuestion = 'Discard what you entered?';

/** Whether the viewer has entered something that isn't being sent. */
function hasEntries(dialog: HTMLDialogElement): boolean {
  const inputs = dialog.querySelectorAll<HTMLInputElement>('form:not([aria-busy="true"]) input');
  return [...inputs].some(
    ({ value, defaultValue, checked, defaultChecked }) =>
      value !== defaultValue || checked !== defaultChecked,
  );
}

/** Closes a dialog as Escape does. `requestClose` of browsers is too new. */
function requestClose(dialog: HTMLDialogElement): void {
  if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
}

/** The properties of a dialog about a link. */
export interface LinkDialogProps {
  link: LinkAnswer;
  note: Signal<Note | undefined>;
  onUpdate?: (link: LinkAnswer) => void;
  onClose: () => void;
}

interface FormProps {
  /** The button's text, and the one while the form is sent. */
  submit: string;
  sending: string;
  /** The text of the button that closes the dialog. */
  close?: string;
  /** Throws `ApiError`. */
  send: (form: HTMLFormElement) => Promise<void>;
  /** What to say if it isn't known whether sending succeeded. */
  inDoubt: string;
  /** Says why sending failed if the dialog was closed meanwhile. */
  note?: Signal<Note | undefined>;
  /** Renders the fields with the API's messages about them. */
  children: (problems: FieldProblems) => ComponentChildren;
}

/** A dialog's form. The API validates the input, and its messages are shown next to the fields. */
export function Form(props: FormProps) {
  const { submit, sending, close = 'Cancel', send, inDoubt, note, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const problems = useSignal<FieldProblems>({});
  const isSending = useSignal(false);
  // In a dialog that is already open, the form may take the place of what had the focus.
  useLayoutEffect(() => focusFirst(form.current), []);
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending.value || !form.current) return;
    isSending.value = true;
    problems.value = {};
    try {
      await send(form.current);
    } catch (error) {
      const found = toFields(isInDoubt(error) ? inDoubt : explain(error).title, error);
      problems.value = found;
      const [first] = Object.keys(found);
      if (form.current) form.current.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      else if (note) note.value = { text: Object.values(found).join(' '), isProblem: true };
    }
    isSending.value = false;
  };
  return (
    <form ref={form} onSubmit={run} noValidate aria-busy={isSending.value}>
      {children(problems.value)}
      {problems.value.form && (
        <p class="field-problem" role="alert">
          {problems.value.form}
        </p>
      )}
      <p class="dialog-buttons">
        <CloseButton text={close} />
        <Button kind="primary" type="submit" aria-disabled={isSending.value}>
          {isSending.value ? sending : submit}
        </Button>
      </p>
    </form>
  );
}

/** Focuses an element's first button or field. It's a `ref` of what appears in place of the focus. */
export function focusFirst(box: HTMLElement | null): void {
  box?.querySelector<HTMLElement>('button, input')?.focus();
}

/** A button that closes the dialog around it, as Escape does. */
export function CloseButton({ text }: { text: string }) {
  const close = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const dialog = currentTarget.closest('dialog');
    if (dialog) requestClose(dialog);
  };
  return <Button onClick={close}>{text}</Button>;
}
