import { useId } from 'preact/hooks';
import { ApiError } from '../state/problems.ts';

// Without a maximum, browsers accept years of six digits.
const ofTime = { type: 'datetime-local', max: '9999-12-31T23:59' } as const;

interface Props {
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
export function Field({ name, label, hint, isTime, value, now, problem, ...ofText }: Props) {
  const id = useId();
  const notes = [now && `${id}-now`, problem && `${id}-problem`].filter(Boolean).join(' ');
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
        aria-describedby={notes || undefined}
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

/** A field for the time when a link expires. */
export function ExpiryField(props: Pick<Props, 'value' | 'now' | 'problem'>) {
  const hint = `optional, ${Intl.DateTimeFormat().resolvedOptions().timeZone} time`;
  return <Field name="expiresAt" label="Expires" hint={hint} isTime {...props} />;
}

/** The instant in a field for times, or null. Throws `ApiError` if it's filled in only partly. */
export function readTime({ value, validity }: HTMLInputElement): string | null {
  // A field for times is empty until each of its parts is filled in.
  if (validity.badInput || (value && Number.isNaN(Date.parse(value)))) {
    throw new ApiError(400, '', { expiresAt: 'Enter a date and a time.' });
  }
  return value ? new Date(value).toISOString() : null;
}
