import { isCode } from '../../lib/keys.ts';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { completeUrl, lineFields } from '../../lib/links/rules/link-fields.ts';

/** A text of any length may be pasted. */
const maxCharacters = 500;
const maxWords = 20;
const signsAroundAddress = `<>()[]"'.,;!`;
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
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => plainLetters.get(letter) ?? letter);
}

/** The words of a search. Signs around a pasted address don't belong to it. */
function splitWords(query: string): string[] {
  const words = fold(query.slice(0, maxCharacters))
    .split(/\s+/)
    .map((word) => (word.includes('/') ? trim(word, signsAroundAddress) : word));
  return words.filter((word) => word !== '').slice(0, maxWords);
}

/** Removes these signs from both ends. */
function trim(text: string, signs: string): string {
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
  return trim(path, '/');
}

/** What is searched in a link, for as long as the list has this answer about it. */
interface Searched {
  /** The short link without its scheme. */
  address: string;
  code: string;
  texts: string;
}
const known = new WeakMap<LinkAnswer, Searched>();

function readSearched(link: LinkAnswer): Searched {
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
function listStates({ disabled, disabledBy, expiresAt }: LinkAnswer, nowMs: number): string[] {
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
export function searchLinks(
  links: readonly LinkAnswer[],
  query: string,
  nowMs: number,
): readonly LinkAnswer[] {
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

export interface WantedLink {
  url?: string;
  code?: string;
}

/** The link that a search without a result may create: an address leads there, and a word is its code. */
export function toWantedLink(query: string, origin: string): WantedLink | undefined {
  const text = trim(query.trim(), signsAroundAddress);
  const url = completeUrl(text);
  if (!URL.canParse(url)) return isCode(text) ? { code: text } : undefined;
  const { protocol, host, pathname } = new URL(url);
  if (host === new URL(origin).host) {
    const code = pathname.slice(1);
    return isCode(code) ? { code } : undefined;
  }
  return /^https?:$/.test(protocol) ? { url } : undefined;
}
