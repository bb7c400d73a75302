import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ApiKey, CreatedKey, KeyScope } from '../../lib/api-keys/key-schemas.ts';
import { formatTime } from '../format.ts';
import { now } from '../state/browser.ts';
import { explainAction, type FieldProblems, isInDoubt, toFields } from '../state/problems.ts';
import { api } from '../state/services.ts';
import { ActionNote, type Note } from './action-note.tsx';
import { Button } from './button.tsx';
import { CloseButton, Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { CopyButton } from './link-actions.tsx';

const scopes: Record<KeyScope, string> = { read: 'Read', write: 'Read and write' };
const lifetimes = { 7: '7 days', 30: '30 days', 90: '90 days', 365: '365 days' };
const unknownOutcome =
  "The service didn't confirm it. If the key is in the list, revoke it, then create another one.";

/** Lists the viewer's API keys, creates them and revokes them. */
export function ApiKeys({ onClose }: { onClose: () => void }) {
  const keys = useSignal<ApiKey[] | undefined>(undefined);
  const created = useSignal<CreatedKey | undefined>(undefined);
  const note = useSignal<Note | undefined>(undefined);
  const load = async () => {
    try {
      keys.value = (await api.listKeys()).keys;
    } catch (error) {
      const text = explainAction("Your API keys couldn't be loaded.", error);
      note.value = { text, isProblem: true };
    }
  };
  useEffect(() => void load(), []);
  return (
    <Dialog title="API keys" onClose={onClose}>
      <p class="muted">Programs use a key to manage your links without signing in.</p>
      {created.value ? (
        <Created created={created} />
      ) : (
        <Form created={created} note={note} onChange={load} />
      )}
      <ActionNote note={note} />
      {keys.value && keys.value.length > 0 && (
        <ul class="api-keys" aria-label="API keys">
          {keys.value.map((key) => (
            <KeyRow key={key.id} apiKey={key} note={note} onChange={load} />
          ))}
        </ul>
      )}
      <p class="dialog-buttons">
        <CloseButton text="Close" />
      </p>
    </Dialog>
  );
}

interface FormProps {
  created: Signal<CreatedKey | undefined>;
  note: Signal<Note | undefined>;
  onChange: () => Promise<void>;
}

function Form({ created, note, onChange }: FormProps) {
  const problems = useSignal<FieldProblems>({});
  const isSending = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending.value) return;
    const form = event.currentTarget as HTMLFormElement;
    const entered = new FormData(form);
    isSending.value = true;
    problems.value = {};
    note.value = undefined;
    try {
      created.value = await api.createKey({
        name: `${entered.get('name')}`,
        scope: entered.get('scope') as KeyScope,
        expiresInDays: Number(entered.get('expiresInDays')),
      });
    } catch (error) {
      const found = toFields("The key wasn't created.", error);
      problems.value = isInDoubt(error) ? { form: unknownOutcome } : found;
      form.querySelector('input')?.focus();
    }
    isSending.value = false;
    await onChange();
  };
  return (
    <form class="new-key" onSubmit={submit} noValidate>
      <Field name="name" label="Name" placeholder="backup" problem={problems.value.name} />
      <Choice name="scope" label="It may" options={scopes} />
      <Choice name="expiresInDays" label="Expires in" options={lifetimes} value="90" />
      {problems.value.form && (
        <p class="field-problem" role="alert">
          {problems.value.form}
        </p>
      )}
      <Button kind="primary" type="submit" aria-disabled={isSending.value}>
        {isSending.value ? 'Creating…' : 'Create key'}
      </Button>
    </form>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: Record<string, string>;
  value?: string;
}

function Choice({ name, label, options, value }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The new key with its secret, which nobody can read again. */
function Created({ created }: Pick<FormProps, 'created'>) {
  const box = useRef<HTMLDivElement>(null);
  const note = useSignal<Note | undefined>(undefined);
  const { key = '' } = created.value ?? {};
  useLayoutEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={box} class="new-key" role="status">
      <p>Copy the key now. It won't be shown again.</p>
      <code>{key}</code>
      <p class="dialog-buttons">
        <CopyButton shortUrl={key} label="Copy the key" note={note} isPrimary />
        <Button
          onClick={() => {
            created.value = undefined;
          }}
        >
          Done
        </Button>
      </p>
      <ActionNote note={note} />
    </div>
  );
}

interface RowProps extends Omit<FormProps, 'created'> {
  apiKey: ApiKey;
}

function KeyRow({ apiKey: { id, name, scope, expiresAt, lastUsedAt }, note, onChange }: RowProps) {
  const isAsked = useSignal(false);
  const isExpired = Date.parse(expiresAt) <= now.value;
  const revoke = async ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (!isAsked.value) {
      isAsked.value = true;
      return;
    }
    // The row goes, and would take the focus with it.
    const dialog = currentTarget.closest('dialog');
    try {
      await api.revokeKey(id);
      note.value = { text: `${name} is revoked. It stops working within 30 seconds.` };
    } catch (error) {
      note.value = { text: explainAction("The key wasn't revoked.", error), isProblem: true };
    }
    await onChange();
    dialog?.querySelector<HTMLElement>('input, .new-key button')?.focus();
  };
  return (
    <li>
      <p>
        <strong>{name}</strong> <span class="badge">{scopes[scope]}</span>
        <br />
        <span class="muted">
          {isExpired ? 'Expired on' : 'Expires on'} {formatTime(expiresAt)} ·{' '}
          {lastUsedAt ? `last used ${formatTime(lastUsedAt)}` : 'never used'}
        </span>
      </p>
      <Button
        aria-label={`${isAsked.value ? 'Confirm: revoke' : 'Revoke'} ${name}`}
        onClick={revoke}
        onBlur={() => {
          isAsked.value = false;
        }}
      >
        {isAsked.value ? 'Confirm' : 'Revoke'}
      </Button>
    </li>
  );
}
