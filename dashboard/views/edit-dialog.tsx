import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { completeUrl, mapLines, splitTags, type TextField } from '../../lib/links/link-fields.ts';
import type { UpdateLinkRequest } from '../../lib/links/link-request.ts';
import { formatTime, toLocalTime } from '../format.ts';
import { readLink, updateLink } from '../state/links.ts';
import { ApiError, type FieldProblems, toFields, unconfirmed } from '../state/problems.ts';
import type { Note } from './action-note.tsx';
import { Dialog, FormEnd } from './dialog.tsx';
import {
  boxOf,
  ExpiryField,
  Field,
  ForwardQueryField,
  isTicked,
  readTime,
  readValue,
  TextFields,
  writeTime,
} from './field.tsx';

const notSaved = "Your changes weren't saved.";
const inDoubt = unconfirmed('your changes were saved');

type Expected = Required<NonNullable<UpdateLinkRequest['expected']>>;

interface Props {
  link: LinkAnswer;
  note: Signal<Note | undefined>;
  onUpdate?: (link: LinkAnswer) => void;
  onClose: () => void;
}

/** The form for a link's texts. */
export function EditDialog({ link, note, onUpdate, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null);
  // The list may be read again meanwhile. The later of two editors must still be told.
  const known = useSignal(link);
  const isOutdated = useSignal(false);
  const problems = useSignal<FieldProblems>({});
  const isSending = useSignal(false);

  const close = () => form.current?.closest('dialog')?.close();
  const show = (found: FieldProblems) => {
    problems.value = found;
    const [first] = Object.keys(found);
    // A form that was closed can't show why saving failed.
    if (!form.current) note.value = { text: Object.values(found).join(' '), isProblem: true };
    form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending.value || !form.current) return;
    const { url, expiresAt = null, tags = null, forwardQuery = null } = known.value;
    const lines = mapLines((name) => known.value[name] ?? null);
    const expected: Expected = { url, expiresAt, ...lines, tags, forwardQuery };
    problems.value = {};
    try {
      const change = readChange(form.current, known.value);
      if (Object.keys(change).length === 0) return close();
      isSending.value = true;
      const updated = await updateLink(link.code, { ...change, expected });
      onUpdate?.(updated);
      note.value = { text: 'Saved. Visitors see the change within 30 seconds.' };
      close();
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === 409;
      show(isConflict ? await catchUp(error) : toFields(inDoubt, error));
    }
    isSending.value = false;
  };
  /** Shows the link as it is now. What the viewer has entered stays. */
  const catchUp = async ({ message }: ApiError): Promise<FieldProblems> => {
    try {
      const current = await readLink(link.code);
      for (const [input, text] of pairFields(form.current, current)) {
        if (isEntered(input)) continue;
        if (input.name === 'expiresAt') writeTime(input, text);
        else if (input.type === 'checkbox') input.checked = text !== '';
        else input.value = text;
      }
      onUpdate?.(current);
      known.value = current;
      isOutdated.value = true;
      return { form: `${message} To replace that, save again.` };
    } catch (error) {
      return toFields(notSaved, error);
    }
  };
  return (
    <Dialog title={`Edit ${link.code}`} onClose={onClose}>
      <form ref={form} onSubmit={save} noValidate>
        <Fields link={known.value} isOutdated={isOutdated.value} problems={problems.value} />
        <FormEnd
          problem={problems.value.form}
          isSending={isSending.value}
          submit="Save"
          sending="Saving…"
        />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  link: LinkAnswer;
  /** Whether somebody else has changed the link. */
  isOutdated: boolean;
  problems: FieldProblems;
}

function Fields({ link, isOutdated, problems }: FieldsProps) {
  const { expiresAt } = link;
  const texts = toTexts(link);
  const describe = (name: TextField, now = texts[name] || 'none') => ({
    ...{ value: texts[name], problem: problems[name] },
    now: isOutdated ? `Now: ${now}` : undefined,
  });
  return (
    <>
      <Field name="url" label="Destination" inputMode="url" {...describe('url')} />
      <TextFields describe={describe} />
      <ForwardQueryField {...describe('forwardQuery', texts.forwardQuery || 'no')} />
      <ExpiryField {...describe('expiresAt', expiresAt ? formatTime(expiresAt) : 'never')} />
    </>
  );
}

function toTexts(link: LinkAnswer): Record<TextField, string> {
  const { url, expiresAt, tags = [], forwardQuery } = link;
  const time = expiresAt ? toLocalTime(expiresAt) : '';
  return {
    ...{ url, ...mapLines((name) => link[name] ?? ''), tags: tags.join(', ') },
    ...{ forwardQuery: isTicked(forwardQuery), expiresAt: time },
  };
}

/** The form's inputs, each with the text for a link's value. */
function pairFields(form: HTMLFormElement | null, link: LinkAnswer) {
  const texts = toTexts(link);
  return Object.entries(texts).flatMap(([name, text]): [HTMLInputElement, string][] => {
    const input = form?.querySelector<HTMLInputElement>(`[name="${name}"]`);
    return input ? [[input, text]] : [];
  });
}

function readChange(form: HTMLFormElement, link: LinkAnswer): UpdateLinkRequest {
  const change: UpdateLinkRequest = {};
  for (const [input, text] of pairFields(form, link)) {
    const value = readValue(input);
    const name = input.name as TextField;
    if (name === 'url') {
      if (value.trim() !== text) change.url = completeUrl(value.trim());
    } else if (name === 'expiresAt') {
      const expiresAt = readTime(input);
      if ((expiresAt ? value : '') !== text) change.expiresAt = expiresAt;
    } else if (name === 'tags') {
      if (value !== text) change.tags = splitTags(value);
    } else if (name === 'forwardQuery') {
      if (value !== text) change.forwardQuery = input.checked || null;
    } else if (value !== text) change[name] = value;
  }
  return change;
}

/** Whether the viewer has changed a field or its box. */
function isEntered(input: HTMLInputElement): boolean {
  const box = input.name === 'expiresAt' && boxOf(input);
  const isOther =
    input.type === 'checkbox'
      ? input.checked !== input.defaultChecked
      : input.value !== input.defaultValue;
  return isOther || (box && box.checked !== box.defaultChecked) || false;
}
