import { useSignal } from '@preact/signals';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { createLink, type NewLink } from '../state/create-link.ts';
import { unconfirmed } from '../state/problems.ts';
import { hashOf } from '../state/route.ts';
import type { WantedLink } from '../state/wanted-link.ts';
import { ActionNote, type Note } from './actions.tsx';
import { CloseButton, Dialog, Form, focusFirst } from './dialog.tsx';
import { Field } from './field.tsx';
import { LinkFields, parseTexts, readTexts } from './form-fields.tsx';
import { CopyButton } from './link-actions.tsx';
import { ShortUrl } from './link-texts.tsx';

const safely = "It's safe to press Create link again: the link won't be created twice.";
const inDoubt = `${unconfirmed('the link was created')} ${safely}`;

// A request may create the link although it seems to fail. If it's sent again, it has the same key.
let sent: { content: string; key: string } | undefined;

interface Props {
  /** What the form begins with. */
  wanted?: WantedLink;
  onClose: () => void;
}

/** A dialog with the form for a new link and, once it's created, the link. */
export function CreateLink({ wanted = {}, onClose }: Props) {
  const created = useSignal<LinkAnswer>();
  const note = useSignal<Note>();
  const create = async (form: HTMLFormElement) => {
    const code = `${new FormData(form).get('code')}`.trim() || null;
    const values = Object.entries({ code, ...parseTexts(readTexts(form)) });
    const request = Object.fromEntries(values.filter(([, value]) => value !== null)) as NewLink;
    const content = JSON.stringify(request);
    if (sent?.content !== content) sent = { content, key: crypto.randomUUID() };
    created.value = await createLink(sent.key, request);
    sent = undefined;
  };
  return (
    <Dialog title={created.value ? 'Your link is ready' : 'New link'} onClose={onClose}>
      {created.value ? (
        <div ref={focusFirst} role="status">
          <p class="created">
            <a href={hashOf(created.value.code)}>
              <ShortUrl shortUrl={created.value.shortUrl} />
            </a>
          </p>
          <p class="dialog-buttons">
            <CopyButton shortUrl={created.value.shortUrl} note={note} isPrimary />
            <CloseButton text="Done" />
          </p>
          <ActionNote note={note} />
        </div>
      ) : (
        <Form submit="Create link" sending="Creating…" send={create} inDoubt={inDoubt}>
          {(problems) => (
            <LinkFields wantedUrl={wanted.url} problems={problems}>
              <Field
                name="code"
                label="Code"
                hint="optional"
                value={wanted.code}
                problem={problems.code}
              />
            </LinkFields>
          )}
        </Form>
      )}
    </Dialog>
  );
}
