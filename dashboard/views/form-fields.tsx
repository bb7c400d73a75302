import type { ComponentChildren } from 'preact';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import {
  completeUrl,
  lineFields,
  lines,
  mapLines,
  splitTags,
  type TextField,
} from '../../lib/links/rules/link-fields.ts';
import { formatTime, toLocalTime } from '../format.ts';
import { ApiError, type FieldProblems } from '../state/problems.ts';
import { Field, type FieldProps } from './field.tsx';

/** A link's texts as the form has them. A box has a text if it's ticked. */
type Texts = Record<TextField, string>;

/** What the page calls lines and tags. */
export const labels = { ...mapLines((name) => lines[name].label), tags: 'Tags' };
const withoutValue: Partial<Texts> = { expiresAt: 'never', forwardQuery: 'no' };

interface Props {
  link?: LinkAnswer;
  /** The destination that the form of a new link begins with. */
  wantedUrl?: string;
  /** Whether someone else has changed the link, so that its texts are shown beside those entered. */
  isOutdated?: boolean;
  problems: FieldProblems;
  /** Fields after the first one. */
  children?: ComponentChildren;
}

/** The fields for a link's texts. */
export function LinkFields({ link, wantedUrl, isOutdated, problems, children }: Props) {
  const texts: Partial<Texts> = link ? toTexts(link) : { url: wantedUrl };
  const times = { expiresAt: link?.expiresAt && formatTime(link.expiresAt) };
  const describe = (name: TextField) => {
    const now = { ...texts, ...times }[name] || (withoutValue[name] ?? 'none');
    return { value: texts[name], now: isOutdated ? `Now: ${now}` : '', problem: problems[name] };
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <Field
        name="url"
        label="Destination"
        inputMode="url"
        placeholder="https://"
        {...describe('url')}
      />
      {children}
      {lineFields.map((name) => (
        <Field key={name} name={name} label={labels[name]} hint="optional" {...describe(name)} />
      ))}
      <Field name="tags" label={labels.tags} hint="optional, with commas" {...describe('tags')} />
      <Box
        name="forwardQuery"
        label="Add the visitor's query to the URL"
        {...describe('forwardQuery')}
      />
      <fieldset class="expiry" aria-label="Expiry">
        <Box name="expires" label="The link expires" value={texts.expiresAt} />
        <Field
          name="expiresAt"
          label="Expires on"
          hint={`${zone} time`}
          isTime
          {...describe('expiresAt')}
        />
      </fieldset>
    </>
  );
}

type BoxProps = Pick<FieldProps, 'name' | 'label' | 'value' | 'now'>;

function Box({ name, label, value, now }: BoxProps) {
  return (
    <div>
      <label class="check">
        <input type="checkbox" name={name} value="yes" defaultChecked={Boolean(value)} /> {label}
      </label>
      {now && <p class="field-now">{now}</p>}
    </div>
  );
}

/** A link's texts as the form shows them. */
function toTexts(link: LinkAnswer): Texts {
  const { url, expiresAt, tags = [], forwardQuery } = link;
  return {
    url,
    ...mapLines((name) => link[name] ?? ''),
    tags: tags.join(', '),
    forwardQuery: forwardQuery ? 'yes' : '',
    expiresAt: expiresAt ? toLocalTime(expiresAt) : '',
  };
}

/** What the viewer has entered. */
export function readTexts(form: HTMLFormElement): Texts {
  const entered = new FormData(form);
  const read = (name: string) => `${entered.get(name) ?? ''}`.trim();
  return {
    url: read('url'),
    ...mapLines(read),
    tags: read('tags'),
    forwardQuery: read('forwardQuery'),
    // Browsers don't always report an incomplete field, so a ticked box needs a value.
    expiresAt: entered.has('expires') ? read('expiresAt') || 'incomplete' : '',
  };
}

/** The fields in which the viewer has changed the link's text. */
export function listEntered(form: HTMLFormElement, link: LinkAnswer): TextField[] {
  const entered = readTexts(form);
  const shown = toTexts(link);
  return (Object.keys(entered) as TextField[]).filter((name) => entered[name] !== shown[name]);
}

/** Fills in a link's texts, except those in `kept`. */
export function writeTexts(form: HTMLFormElement, link: LinkAnswer, kept: TextField[]): void {
  const find = (name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`);
  for (const [name, text] of Object.entries(toTexts(link))) {
    if (kept.includes(name as TextField)) continue;
    const input = find(name);
    const box = name === 'expiresAt' ? find('expires') : input;
    if (box) box.checked = text !== '';
    if (input && input.type !== 'checkbox') input.value = text;
  }
}

/** The entered texts for a request; null where a link is without one. Throws `ApiError`. */
export function parseTexts(texts: Texts) {
  return {
    url: completeUrl(texts.url),
    ...mapLines((name) => texts[name] || null),
    tags: splitTags(texts.tags),
    forwardQuery: texts.forwardQuery ? (true as const) : null,
    expiresAt: texts.expiresAt ? parseTime(texts.expiresAt) : null,
  } satisfies Record<TextField, unknown>;
}

/** Throws `ApiError` unless the time is complete. */
function parseTime(text: string): string {
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  const message = 'Enter a date and a time, or untick the box above.';
  throw new ApiError(400, '', { expiresAt: message });
}
