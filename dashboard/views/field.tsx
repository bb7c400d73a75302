import { useId } from 'preact/hooks';
import { lineFields, lines, mapLines } from '../../lib/links/link-fields.ts';
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

/** What the page calls lines and tags. */
export const labels = { ...mapLines((name) => lines[name].label), tags: 'Tags' };
type Describe = (name: keyof typeof labels) => Partial<Props>;

/** The fields for lines and tags, each with what `describe` says. */
export function TextFields({ describe }: { describe: Describe }) {
  return [...lineFields, 'tags' as const].map((name) => {
    const hint = name === 'tags' ? 'optional, with commas' : 'optional';
    return <Field key={name} name={name} label={labels[name]} hint={hint} {...describe(name)} />;
  });
}

/** A box that says whether visitors' queries are forwarded. */
export function ForwardQueryField({ value, now }: Pick<Props, 'value' | 'now'>) {
  return (
    <div>
      <label class="check">
        <input type="checkbox" name="forwardQuery" defaultChecked={Boolean(value)} /> Add the
        visitor's query to the URL
      </label>
      {now && <p class="field-now">{now}</p>}
    </div>
  );
}

/** What a viewer has entered. A box has a text if it's ticked. */
export function readValue(input: HTMLInputElement): string {
  return input.type === 'checkbox' ? isTicked(input.checked) : input.value;
}

/** The text of a box. */
export function isTicked(isOn?: boolean): string {
  return isOn ? 'yes' : '';
}

/** A box that says whether a link expires and, if it's ticked, a field for the time. */
export function ExpiryField({ value, ...props }: Pick<Props, 'value' | 'now' | 'problem'>) {
  const hint = `${Intl.DateTimeFormat().resolvedOptions().timeZone} time`;
  return (
    <fieldset class="expiry" aria-label="Expiry">
      <label class="check">
        <input type="checkbox" name="expires" defaultChecked={Boolean(value)} /> The link expires
      </label>
      <Field name="expiresAt" label="Expires on" hint={hint} isTime value={value} {...props} />
    </fieldset>
  );
}

/** The box of a field for times. */
export function boxOf(input: HTMLInputElement): HTMLInputElement | null | undefined {
  return input.form?.querySelector<HTMLInputElement>('[name="expires"]');
}

/** Fills in the field for the time, and ticks its box unless the text is empty. */
export function writeTime(input: HTMLInputElement, text: string): void {
  input.value = text;
  const box = boxOf(input);
  if (box) box.checked = text !== '';
}

/**
 * The instant in a field for times; null if its box isn't ticked. Browsers don't always report an
 * incomplete field, so a ticked box needs a value. Throws `ApiError`.
 */
export function readTime(input: HTMLInputElement): string | null {
  if (!boxOf(input)?.checked) return null;
  const ms = Date.parse(input.value);
  if (input.validity.badInput || Number.isNaN(ms)) {
    const message = 'Enter a date and a time, or untick the box above.';
    throw new ApiError(400, '', { expiresAt: message });
  }
  return new Date(ms).toISOString();
}
