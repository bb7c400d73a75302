import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { completeUrl } from '../format.ts';
import { createLink } from '../state/links.ts';
import { type FieldProblems, isInDoubt, toFields } from '../state/problems.ts';
import { hashOf } from '../state/route.ts';
import { ActionNote, type Note } from './action-note.tsx';
import { ExpiryField, Field, readTime } from './field.tsx';
import { ShareActions } from './link-actions.tsx';
import { ShortUrl } from './short-url.tsx';

const unknownOutcome =
  "The service didn't confirm it, so we don't know yet whether the link was created. Press Create link again: it won't be created twice.";

/**
 * The form for a new link. The API validates the input, and its messages are shown next to the
 * fields.
 */
export function CreateLink() {
  const form = useRef<HTMLFormElement>(null);
  const problems = useSignal<FieldProblems>({});
  const isSending = useSignal(false);
  // A request without an answer may have created the link. If it's sent again, it has the same key.
  const doubtful = useRef<{ content: string; key: string } | undefined>(undefined);
  const created = useSignal<LinkAnswer | undefined>(undefined);
  const inputOf = (name?: string) =>
    form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending.value || !form.current) return;
    const [url = '', code] = ['url', 'code'].map((name) => inputOf(name)?.value.trim());
    const expiry = inputOf('expiresAt');
    isSending.value = true;
    problems.value = {};
    try {
      const request = {
        url: completeUrl(url),
        code: code || undefined,
        expiresAt: expiry && readTime(expiry),
      };
      const content = JSON.stringify(request);
      if (doubtful.current?.content !== content) {
        doubtful.current = { content, key: crypto.randomUUID() };
      }
      created.value = await createLink(doubtful.current.key, request);
      doubtful.current = undefined;
      form.current?.reset();
    } catch (error) {
      if (!isInDoubt(error)) doubtful.current = undefined;
      problems.value = isInDoubt(error)
        ? { form: unknownOutcome }
        : toFields("The link wasn't created.", error);
      const [first] = Object.keys(problems.value);
      const input = inputOf(first);
      input?.closest('details')?.setAttribute('open', '');
      input?.focus();
    }
    isSending.value = false;
  };
  return (
    <section class="creation">
      <form ref={form} class="create" onSubmit={submit} noValidate aria-label="New link">
        <Field
          name="url"
          label="Destination URL"
          inputMode="url"
          placeholder="https://"
          problem={problems.value.url}
        />
        <Field name="code" label="Custom back-half" hint="optional" problem={problems.value.code} />
        <button type="submit" class="button is-primary" aria-disabled={isSending.value}>
          {isSending.value ? 'Creating…' : 'Create link'}
        </button>
        <details>
          <summary>Set an expiry</summary>
          <ExpiryField problem={problems.value.expiresAt} />
        </details>
        {problems.value.form && (
          <p class="field-problem is-form" role="alert">
            {problems.value.form}
          </p>
        )}
      </form>
      {created.value && <Created key={created.value.code} link={created.value} />}
    </section>
  );
}

/** The new link, ready to copy. */
function Created({ link }: { link: LinkAnswer }) {
  const box = useRef<HTMLDivElement>(null);
  const note: Signal<Note | undefined> = useSignal(undefined);
  useLayoutEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={box} class="created" role="status">
      <p>
        Your link is ready:{' '}
        <a href={hashOf(link.code)}>
          <ShortUrl shortUrl={link.shortUrl} />
        </a>
      </p>
      <div class="link-actions">
        <ShareActions code={link.code} shortUrl={link.shortUrl} note={note} isNew />
      </div>
      <ActionNote note={note} />
    </div>
  );
}
