import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { createLink } from '../state/links.ts';
import { ApiError, assignToFields, explain, type FieldProblems } from '../state/problems.ts';
import { announce } from '../state/services.ts';

/**
 * The form for a new link. The API validates the input, and its messages are shown next to the
 * fields.
 */
export function CreateLink() {
  const form = useRef<HTMLFormElement>(null);
  const problems = useSignal<FieldProblems>({});
  const isSending = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(form.current ?? undefined);
    const [url, code] = [`${fields.get('url')}`.trim(), `${fields.get('code')}`.trim()];
    isSending.value = true;
    problems.value = {};
    try {
      const created = await createLink(code ? { url, code } : { url });
      form.current?.reset();
      announce(`Created the link ${created}.`);
    } catch (error) {
      problems.value = toFields(error);
      const [first] = Object.keys(problems.value);
      form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    }
    isSending.value = false;
  };
  return (
    <form ref={form} class="create" onSubmit={submit} noValidate aria-label="New link">
      <Field
        name="url"
        label="Long address"
        inputMode="url"
        placeholder="https://"
        problem={problems.value.url}
      />
      <Field name="code" label="Code" hint="optional" problem={problems.value.code} />
      <button type="submit" class="button is-primary" disabled={isSending.value}>
        {isSending.value ? 'Creating…' : 'Create link'}
      </button>
      {problems.value.form && (
        <p class="field-problem is-form" role="alert">
          {problems.value.form}
        </p>
      )}
    </form>
  );
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  inputMode?: 'text' | 'url';
  placeholder?: string;
  problem?: string;
}

function Field({ name, label, hint, inputMode = 'text', placeholder, problem }: FieldProps) {
  const id = useId();
  return (
    <div class={`field is-${name}`}>
      <label for={id}>
        {label} {hint && <span class="muted">({hint})</span>}
      </label>
      <input
        id={id}
        name={name}
        type="text"
        placeholder={placeholder}
        inputMode={inputMode}
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
      />
      {problem && (
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function toFields(error: unknown): FieldProblems {
  if (error instanceof ApiError && [400, 409].includes(error.status)) {
    return assignToFields(error.message);
  }
  const { title, remedy } = explain(error);
  return { form: `${title} ${remedy}` };
}
