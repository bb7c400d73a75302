import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { ApiKey, CreatedKey, KeyScope } from '../../lib/api-keys/key-schemas.ts';
import { formatTime } from '../format.ts';
import { now } from '../state/browser.ts';
import { unconfirmed } from '../state/problems.ts';
import { api } from '../state/services.ts';
import { ActionNote, type Note, report, useAction } from './actions.tsx';
import { Button } from './button.tsx';
import { Dialog, Form, focusFirst } from './dialog.tsx';
import { Field } from './field.tsx';
import { CopyButton } from './link-actions.tsx';

const scopes: Record<KeyScope, string> = { read: 'Read', write: 'Read and write' };
const lifetimes = { 30: '30 days', 90: '90 days', 365: '365 days' };
const inDoubt = "The service didn't confirm it. If the key is in the list, revoke it.";

/** Lists the viewer's API keys, revokes them and creates others. */
export function ApiKeys({ onClose }: { onClose: () => void }) {
  const keys = useSignal<ApiKey[]>([]);
  // The new key has its secret, which nobody can read again.
  const created = useSignal<CreatedKey>();
  const note = useSignal<Note>();
  const reload = () =>
    report(note, "Your API keys couldn't be loaded.", async () => {
      keys.value = (await api.listKeys()).keys;
    });
  const create = async (form: HTMLFormElement) => {
    const entered = new FormData(form);
    note.value = undefined;
    const request = {
      name: `${entered.get('name')}`,
      scope: entered.get('scope') as KeyScope,
      expiresInDays: Number(entered.get('expiresInDays')),
    };
    // Without an answer, the key may be in the list.
    created.value = await api.createKey(request).finally(() => void reload());
  };
  const forget = () => {
    created.value = undefined;
  };
  useEffect(() => void reload(), []);
  return (
    <Dialog title="API keys" onClose={onClose}>
      <p class="muted">Programs use a key to manage your links without signing in.</p>
      <ul class="api-keys" aria-label="API keys">
        {keys.value.map((key) => (
          <KeyRow key={key.id} apiKey={key} note={note} reload={reload} />
        ))}
      </ul>
      <ActionNote note={note} />
      {created.value ? (
        <div ref={focusFirst} role="status">
          <p>Copy the key now. It won't be shown again.</p>
          <code>{created.value.key}</code>
          <p class="dialog-buttons">
            <CopyButton shortUrl={created.value.key} label="Copy the key" note={note} isPrimary />
            <Button onClick={forget}>Done</Button>
          </p>
        </div>
      ) : (
        <Form submit="Create key" sending="Creating…" close="Close" send={create} inDoubt={inDoubt}>
          {({ name }) => (
            <>
              <Field name="name" label="Name of a new key" placeholder="backup" problem={name} />
              <Choice name="scope" label="It may" options={scopes} />
              <Choice name="expiresInDays" label="It expires in" options={lifetimes} />
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
}

function Choice(props: { name: string; label: string; options: Record<string, string> }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name}>
        {Object.entries(props.options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface RowProps {
  apiKey: ApiKey;
  note: Signal<Note | undefined>;
  reload: () => Promise<unknown>;
}

function KeyRow({ apiKey: { id, name, scope, expiresAt, lastUsedAt }, note, reload }: RowProps) {
  const isAsked = useSignal(false);
  const { act } = useAction(note);
  const ask = (isWanted: boolean) => {
    isAsked.value = isWanted;
  };
  const revoke = async ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (!isAsked.value) return ask(true);
    // The row goes, and would take the focus with it.
    const dialog = currentTarget.closest('dialog');
    await act(unconfirmed('the key was revoked'), async () => {
      await api.revokeKey(id);
      return `${name} is revoked. It stops working within 30 seconds.`;
    });
    await reload();
    dialog?.querySelector<HTMLElement>('button')?.focus();
  };
  const expires = Date.parse(expiresAt) <= now.value ? 'Expired on' : 'Expires on';
  return (
    <li>
      <p>
        <strong>{name}</strong> <span class="badge">{scopes[scope]}</span>
        <br />
        <span class="muted">
          {expires} {formatTime(expiresAt)} ·{' '}
          {lastUsedAt ? `last used ${formatTime(lastUsedAt)}` : 'never used'}
        </span>
      </p>
      <Button
        aria-label={`${isAsked.value ? 'Confirm: revoke' : 'Revoke'} ${name}`}
        onClick={revoke}
        onBlur={() => ask(false)}
      >
        {isAsked.value ? 'Confirm' : 'Revoke'}
      </Button>
    </li>
  );
}
