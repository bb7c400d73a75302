import { useId } from 'preact/hooks';

// Without a maximum, browsers accept years of six digits.
const ofTime = { type: 'datetime-local', max: '9999-12-31T23:59' } as const;

export interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  /** A date and a time, in the reader's time zone. */
  isTime?: boolean;
  inputMode?: 'text' | 'url';
  placeholder?: string;
  value?: string;
  /** What the field's value is now, if someone else has changed it. */
  now?: string;
  problem?: string;
}

/** A labelled field with the API's message about it. */
export function Field({ name, label, hint, isTime, value, now, problem, ...ofText }: FieldProps) {
  const id = useId();
  return (
    <div class={`field is-${name}`}>
      <label for={id}>
        {label} {hint && <span class="muted">({hint})</span>}
      </label>
      <input
        id={id}
        name={name}
        defaultValue={value}
        {...(isTime ? ofTime : ofText)}
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={`${id}-now ${id}-problem`}
      />
      {now && (
        <p id={`${id}-now`} class="field-now">
          {now}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
