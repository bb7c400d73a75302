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
export function Form({ submit, sending, send, inDoubt, note, children }: FormProps) {
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
    <form ref={form} onSubmit={run} noValidate>
      {children(problems.value)}
      {problems.value.form && (
        <p class="field-problem" role="alert">
          {problems.value.form}
        </p>
      )}
      <p class="dialog-buttons">
        <CloseButton text="Cancel" />
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

/** A button that closes the dialog around it. */
export function CloseButton({ text }: { text: string }) {
  return (
    <Button onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
      {text}
    </Button>
  );
}
