import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { completeUrl, type FieldName, mapLines, splitTags } from '../../lib/links/link-fields.ts';
import { createLink } from '../state/links.ts';
import { type FieldProblems, isInDoubt, toFields, unconfirmed } from '../state/problems.ts';
import { hashOf } from '../state/route.ts';
import { ActionNote, type Note } from './action-note.tsx';
import { CloseButton, Dialog, FormEnd } from './dialog.tsx';
import { ExpiryField, Field, ForwardQueryField, readTime, TextFields } from './field.tsx';
import { CopyButton } from './link-actions.tsx';
import { ShortUrl } from './link-texts.tsx';

const unknownOutcome = `${unconfirmed('the link was created')} Press Create link again: it won't be created twice.`;

// A request without an answer may have created the link. If it's sent again, it has the same key.
let doubtful: { content: string; key: string } | undefined;

/** A dialog with the form for a new link and, once it's created, the link. */
export function CreateLink({ onClose }: { onClose: () => void }) {
  const created = useSignal<LinkAnswer | undefined>(undefined);
  return (
    <Dialog title={created.value ? 'Your link is ready' : 'New link'} onClose={onClose}>
      {created.value ? <Created link={created.value} /> : <Form created={created} />}
    </Dialog>
  );
}

/** The API validates the input, and its messages are shown next to the fields. */
function Form({ created }: { created: Signal<LinkAnswer | undefined> }) {
  const form = useRef<HTMLFormElement>(null);
  const problems = useSignal<FieldProblems>({});
  const isSending = useSignal(false);
  const inputOf = (name?: string) =>
    form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending.value || !form.current) return;
    const read = (name: FieldName) => inputOf(name)?.value.trim();
    const expiry = inputOf('expiresAt');
    isSending.value = true;
    problems.value = {};
    try {
      const request = {
        url: completeUrl(read('url') ?? ''),
        code: read('code') || undefined,
        expiresAt: (expiry && readTime(expiry)) ?? undefined,
        ...mapLines((name) => read(name) || undefined),
        tags: splitTags(read('tags') ?? ''),
        forwardQuery: inputOf('forwardQuery')?.checked || undefined,
      } satisfies Record<Exclude<FieldName, 'disabled'>, unknown>;
      const content = JSON.stringify(request);
      if (doubtful?.content !== content) {
        doubtful = { content, key: crypto.randomUUID() };
      }
      created.value = await createLink(doubtful.key, request);
    } catch (error) {
      if (!isInDoubt(error)) doubtful = undefined;
      problems.value = isInDoubt(error)
        ? { form: unknownOutcome }
        : toFields("The link wasn't created.", error);
      const [first] = Object.keys(problems.value);
      inputOf(first)?.focus();
    }
    isSending.value = false;
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Field
        name="url"
        label="Destination"
        inputMode="url"
        placeholder="https://"
        problem={problems.value.url}
      />
      <Field name="code" label="Code" hint="optional" problem={problems.value.code} />
      <TextFields describe={(name) => ({ problem: problems.value[name] })} />
      <ForwardQueryField />
      <ExpiryField problem={problems.value.expiresAt} />
      <FormEnd
        problem={problems.value.form}
        isSending={isSending.value}
        submit="Create link"
        sending="Creating…"
      />
    </form>
  );
}

/** The new link, ready to copy. */
function Created({ link: { code, shortUrl } }: { link: LinkAnswer }) {
  const box = useRef<HTMLDivElement>(null);
  const note: Signal<Note | undefined> = useSignal(undefined);
  useLayoutEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={box} role="status">
      <p class="created">
        <a href={hashOf(code)}>
          <ShortUrl shortUrl={shortUrl} />
        </a>
      </p>
      <p class="dialog-buttons">
        <CopyButton shortUrl={shortUrl} note={note} isPrimary />
        <CloseButton text="Done" />
      </p>
      <ActionNote note={note} />
    </div>
  );
}
