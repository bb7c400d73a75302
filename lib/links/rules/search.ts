// The service and the page share this file, so it must run in Node.js and in browsers.
import { type LinkTexts, lineFields } from './link-fields.ts';

/** What is searched in a link. */
export interface SearchableLink extends LinkTexts {
  code: string;
  shortUrl: string;
  disabled: boolean;
  disabledBy?: string;
  expiresAt?: string;
}

/** A text of any length may be pasted. The rest of it isn't searched. */
export const maxSearchLength = 500;
const maxWords = 20;
export const signsAroundAddress = `<>()[]"'.,;!`;
/** Letters that aren't a plain letter with a mark. */
const plainLetters = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['ı', 'i'],
]);

/** A text without case and accents. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => plainLetters.get(letter) ?? letter);
}

/** The words of a search. Signs around a pasted address don't belong to it. */
function splitWords(query: string): string[] {
  const words = fold(query.slice(0, maxSearchLength))
    .split(/\s+/)
    .map((word) => (word.includes('/') ? trimSigns(word, signsAroundAddress) : word));
  return words.filter((word) => word !== '').slice(0, maxWords);
}

/** Removes these signs from both ends. */
export function trimSigns(text: string, signs: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && signs.includes(text.charAt(start))) start += 1;
  while (end > start && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function withoutScheme(address: string): string {
  return address.replace(/^[a-z][a-z0-9+.-]*:\/\//, '');
}

/** An address without its scheme, query and last slash. */
function pathOf(address: string): string {
  const [path = ''] = withoutScheme(address).split(/[?#]/, 1);
  return trimSigns(path, '/');
}

/** What is searched in a link, for as long as the page's list has it. */
interface Searched {
  /** The short link without its scheme. */
  address: string;
  code: string;
  texts: string;
}
const known = new WeakMap<SearchableLink, Searched>();

function readSearched(link: SearchableLink): Searched {
  const found = known.get(link);
  if (found) return found;
  const { code, shortUrl, url, tags = [] } = link;
  const address = pathOf(fold(shortUrl));
  const texts = [address, url, decode(url), ...tags, ...lineFields.map((name) => link[name] ?? '')];
  const searched = { address, code: fold(code), texts: fold(texts.join('\n')) };
  known.set(link, searched);
  return searched;
}

/** Visitors and owners see an address without its encoding. */
function decode(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return '';
  }
}

/** The states of a link, as a viewer would search them. */
function listStates({ disabled, disabledBy, expiresAt }: SearchableLink, nowMs: number): string[] {
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
  return [
    ...(disabled ? ['disabled'] : []),
    ...(disabledBy === 'operator' ? ['taken', 'down'] : []),
    ...(isExpired ? ['expired'] : []),
    ...(expiresAt !== undefined && !isExpired ? ['expires'] : []),
    ...(disabled || isExpired ? [] : ['active']),
  ];
}

/**
 * The links that a search finds, in their order. A pasted short link finds its link. Otherwise all words must
 * be in the link's texts, in any order, or be its states. An address that no link has finds those with its
 * last part as their code, because a domain may have changed.
 */
export function searchLinks<T extends SearchableLink>(
  links: readonly T[],
  query: string,
  nowMs: number,
): readonly T[] {
  const words = splitWords(query);
  const [first = ''] = words;
  if (first === '') return links;
  const address = words.length === 1 && first.includes('/') ? pathOf(first) : undefined;
  const pasted = links.filter((link) => readSearched(link).address === address);
  if (pasted.length > 0) return pasted;
  const parts = words.map((word) => (word.includes('/') ? withoutScheme(word) : word));
  const found = links.filter((link) => {
    const { texts } = readSearched(link);
    const missing = parts.filter((part) => !texts.includes(part));
    if (missing.length === 0) return true;
    const states = listStates(link, nowMs);
    return missing.every((part) => states.includes(part));
  });
  if (found.length > 0 || address === undefined) return found;
  const code = address.slice(address.lastIndexOf('/') + 1);
  return links.filter((link) => readSearched(link).code === code);
}
