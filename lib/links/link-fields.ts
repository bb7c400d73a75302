// The commands and the page share this file, so it must run in Node.js and in browsers.

interface Field {
  kind: 'key' | 'text' | 'list' | 'flag' | 'switch';
  columns: readonly [string, ...string[]];
  otherNames: RegExp;
}

/**
 * The fields of a link that its owner sets. Updates, imports, exports and the roles' attributes follow
 * from this table, and link-request.ts and answer-schemas.ts have a schema for each
 * (docs/contributing/add-a-field.md).
 *
 * `kind`: a text, a list of texts or a flag that is on is stored under its own name, an edit can change
 * it, and may say what it expects it to be. `columns`: what files call it, in lower case without blanks and signs. `otherNames`: what
 * other services and older clients call it in a request.
 */
export const linkFields = {
  code: {
    kind: 'key',
    columns: [
      ...['code', 'shortcode', 'keyword', 'key', 'slug', 'customslug', 'slashtag'],
      ...['backhalf', 'custombackhalf', 'alias', 'customalias'],
    ],
    otherNames: /slug|alias|half|short|code|hash|^id$|^key|path/i,
  },
  url: {
    kind: 'text',
    columns: ['url', 'longurl', 'originalurl', 'destination', 'destinationurl', 'target'],
    otherNames: /url|link|target|dest|redirect|href|uri/i,
  },
  expiresAt: {
    kind: 'text',
    columns: ['expiresat', 'expires', 'expiry', 'expirydate', 'expiration', 'expirationdate'],
    otherNames: /expir|valid|until|ttl/i,
  },
  disabled: {
    kind: 'switch',
    columns: ['disabled'],
    otherNames: /disabl|enabl|activ|archiv|status/i,
  },
  title: { kind: 'text', columns: ['title'], otherNames: /title|name|descr/i },
  tags: { kind: 'list', columns: ['tags', 'tag'], otherNames: /tag|label|categor/i },
  note: {
    kind: 'text',
    columns: ['note', 'notes', 'comment', 'comments'],
    otherNames: /note|comment/i,
  },
  forwardQuery: { kind: 'flag', columns: ['forwardquery'], otherNames: /query|forward|param/i },
} as const satisfies Record<string, Field>;

type Fields = typeof linkFields;
export type FieldName = keyof Fields;
export type TextField = {
  [Name in FieldName]: Fields[Name]['kind'] extends 'text' | 'list' | 'flag' ? Name : never;
}[FieldName];
type TextOf<Name extends FieldName> = {
  list: string[];
  flag: true;
  text: string;
}[Exclude<Fields[Name]['kind'], 'key' | 'switch'>];
type OptionalTexts = { [Name in Exclude<TextField, 'url'>]?: TextOf<Name> };
/** A link's texts as they are stored, and its flags that are on. */
export type LinkTexts = { url: string } & OptionalTexts;

export const fieldNames = Object.keys(linkFields) as FieldName[];
export const textFields = fieldNames.filter(
  (name): name is TextField => !['key', 'switch'].includes(linkFields[name].kind),
);

export function isList(name: FieldName): boolean {
  return linkFields[name].kind === 'list';
}

/** Whether a field is true or false. */
export function isFlag(name: FieldName): boolean {
  return ['flag', 'switch'].includes(linkFields[name].kind);
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
 * A text with what an imported link has, which identifies it. Its hashes are stored for 400 days, so it
 * must stay the same for the same fields: a field that is added later counts only if it's set.
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
