// The commands and the page share this file, so it must run in Node.js and in browsers.

interface Field {
  kind: 'key' | 'text' | 'line' | 'list' | 'flag' | 'switch';
  columns: readonly [string, ...string[]];
  otherNames: RegExp;
  /** Whether it decides where visitors are led. While a link is taken down, such a field stays as it is. */
  leads: boolean;
}

/**
 * The fields of a link that its owner sets. Updates, imports, exports and the roles' attributes follow
 * from this table (docs/contributing/add-a-field.md).
 *
 * `kind`: a text, a line, a list of texts or a flag that is on is stored under its own name, an edit can
 * change it, and may say what it expects it to be. `columns`: what files call it, in lower case without
 * blanks and signs. `otherNames`: what other services and older clients call it in a request.
 */
export const linkFields = {
  code: {
    kind: 'key',
    columns: [
      'code',
      'shortcode',
      'keyword',
      'key',
      'slug',
      'customslug',
      'slashtag',
      'backhalf',
      'custombackhalf',
      'alias',
      'customalias',
      'customshortlink',
    ],
    otherNames: /slug|alias|half|short|code|hash|^id$|^key|path/i,
    leads: false,
  },
  url: {
    kind: 'text',
    columns: ['url', 'longurl', 'originalurl', 'destination', 'destinationurl', 'target'],
    otherNames: /url|link|target|dest|redirect|href|uri/i,
    leads: true,
  },
  expiresAt: {
    kind: 'text',
    columns: ['expiresat', 'expires', 'expiry', 'expirydate', 'expiration', 'expirationdate'],
    otherNames: /expir|valid|until|ttl/i,
    leads: false,
  },
  disabled: {
    kind: 'switch',
    columns: ['disabled'],
    otherNames: /disabl|enabl|activ|archiv|status/i,
    leads: false,
  },
  title: { kind: 'line', columns: ['title'], otherNames: /title|name|descr/i, leads: false },
  tags: {
    kind: 'list',
    columns: ['tags', 'tag'],
    otherNames: /tag|label|categor/i,
    leads: false,
  },
  note: {
    kind: 'line',
    columns: ['note', 'notes', 'comment', 'comments'],
    otherNames: /note|comment/i,
    leads: false,
  },
  forwardQuery: {
    kind: 'flag',
    columns: ['forwardquery'],
    otherNames: /query|forward|param/i,
    leads: true,
  },
} as const satisfies Record<string, Field>;

type Fields = typeof linkFields;
export type FieldName = keyof Fields;
type NameOf<Kind> = {
  [Name in FieldName]: Fields[Name]['kind'] extends Kind ? Name : never;
}[FieldName];
export type TextField = NameOf<'text' | 'line' | 'list' | 'flag'>;
export type LineField = NameOf<'line'>;
type TextOf<Name extends FieldName> = {
  list: string[];
  flag: true;
  text: string;
  line: string;
}[Exclude<Fields[Name]['kind'], 'key' | 'switch'>];
type OptionalTexts = { [Name in Exclude<TextField, 'url'>]?: TextOf<Name> };
/** A link's texts as they are stored, and its flags that are on. */
export type LinkTexts = { url: string } & OptionalTexts;

/**
 * Optional texts for people: what the page calls them, the maximum number of characters, and what
 * they say, as help. Schemas, forms, options and examples follow from this table.
 */
export const lines: Record<LineField, { label: string; most: number; about: string }> = {
  title: { label: 'Title', most: 200, about: 'what the link is, for its owner' },
  note: {
    label: 'Note',
    most: 500,
    about: 'what else its owner wants to know, such as the clicks at another service',
  },
};

export const lineFields = Object.keys(lines) as LineField[];
// The page's first view doesn't have the table of all fields.
export const fieldNames = /* @__PURE__ */ Object.keys(linkFields) as FieldName[];
export const textFields = /* @__PURE__ */ fieldNames.filter(
  (name): name is TextField => !['key', 'switch'].includes(linkFields[name].kind),
);

/** Makes something for each line. */
export function mapLines<T>(make: (name: LineField) => T) {
  return Object.fromEntries(lineFields.map((name) => [name, make(name)])) as Record<LineField, T>;
}

/** The texts that are set. */
export function pickTexts<Texts extends { [Name in TextField]?: TextOf<Name> | null }>(
  link: Texts,
) {
  const set = textFields.flatMap((name) => (isSet(link[name]) ? [[name, link[name]]] : []));
  return Object.fromEntries(set) as { url: Texts['url'] } & OptionalTexts;
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** What identified a link when hashes were first stored. A note doesn't: imports count clicks in it. */
const firstFields: readonly FieldName[] = ['url', 'code', 'expiresAt', 'disabled'];

/**
 * A text with what an imported link has, which identifies it. Creation markers have its hashes, so it must
 * stay the same for the same fields: a field that is added later counts only if it's set.
 */
export function describeContent(link: Record<string, unknown>): string {
  const { url, code, expiresAt, disabled } = link;
  const first = [url, code, expiresAt].map((text) => (typeof text === 'string' ? text : null));
  const later = fieldNames
    .filter((name) => !firstFields.includes(name) && name !== 'note')
    .flatMap((name) => (isSet(link[name]) ? [[name, link[name]]] : []));
  return JSON.stringify([...first, ...(disabled ? [disabled] : []), ...later]);
}

/** The tags of a form, an option or a file, where these signs separate them. A tag can't contain them. */
export function splitTags(text: string): string[] {
  const tags = text.split(/[,;|\n]/).map((tag) => tag.trim());
  return tags.filter((tag) => tag !== '');
}

/** Adds https:// to an address that begins with a domain, such as "example.com/page". */
export function completeUrl(text: string): string {
  const [host = ''] = text.split(/[/:?#]/, 1);
  const dot = host.indexOf('.');
  const isDomain = dot > 0 && dot < host.length - 1 && !/[\s@]/.test(host);
  return isDomain ? `https://${text}` : text;
}
