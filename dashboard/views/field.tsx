import { useId, useRef } from 'preact/hooks';
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

/**
 * A field for the time when a link expires, and a box that says it never does. Browsers don't
 * always report an incomplete field, such as Firefox after one digit. So using it unticks the box.
 */
export function ExpiryField(props: Pick<Props, 'value' | 'now' | 'problem'>) {
  const never = useRef<HTMLInputElement>(null);
  const hint = `optional, ${Intl.DateTimeFormat().resolvedOptions().timeZone} time`;
  const untick = (event: Event) => {
    const isPassing = event instanceof KeyboardEvent && passingKeys.includes(event.key);
    const isUsed = (event.target as HTMLInputElement).name === 'expiresAt' && !isPassing;
    if (isUsed && never.current) never.current.checked = false;
  };
  const clear = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const time = namedIn(currentTarget, 'expiresAt');
    if (time && currentTarget.checked) time.value = '';
  };
  return (
    <fieldset
      class="expiry"
      aria-label="Expiry"
      onPointerDown={untick}
      onKeyDown={untick}
      onInput={untick}
    >
      <Field name="expiresAt" label="Expires" hint={hint} isTime {...props} />
      <label class="no-expiry">
        <input
          ref={never}
          type="checkbox"
          name="never"
          defaultChecked={!props.value}
          onChange={clear}
        />{' '}
        No expiry
      </label>
    </fieldset>
  );
}

// They leave the field, submit its form or close its dialog.
const passingKeys = ['Tab', 'Shift', 'Enter', 'Escape'];

const namedIn = (input: HTMLInputElement, name: string) =>
  input.form?.querySelector<HTMLInputElement>(`[name="${name}"]`);

/** Fills in the field for the time, and ticks its box if the text is empty. */
export function writeTime(input: HTMLInputElement, text: string): void {
  input.value = text;
  const never = namedIn(input, 'never');
  if (never) never.checked = text === '';
}

/** The instant in a field for times, or null. Throws `ApiError` if it's filled in only partly. */
export function readTime(input: HTMLInputElement): string | null {
  const { value, validity } = input;
  const isMissing = value === '' && !namedIn(input, 'never')?.checked;
  if (isMissing || validity.badInput || (value && Number.isNaN(Date.parse(value)))) {
    throw new ApiError(400, '', { expiresAt: 'Enter a date and a time, or tick No expiry.' });
  }
  return value ? new Date(value).toISOString() : null;
}
