// The import command and the page share this file, so it must run in Node.js and in browsers.
import { isCode } from '../../keys.ts';
import { linkFields } from '../rules/link-fields.ts';
import { extraColumns } from './other-services.ts';

// The host of a short link's address, with or without https://, or none, and its only segment.
const shortLink =
  /^(?:https?:\/\/([^/?#\s]+)|([^/?#\s.:]+[.:][^/?#\s]+))?\/([^/?#\s]+)\/?(?:[?#].*)?$/i;
// Parts of names that mean nothing else.
const namesOfCodes = /short|slug|alias|backhalf|tiny|vanity/;
const maxSampledCells = 1_000;

/** The code in a cell, which may have the short link's address. Other texts stay as they are. */
export function readCode(cell: string): string {
  return splitShortLink(cell)?.code ?? cell;
}

function splitShortLink(cell: string) {
  const [, withScheme, withoutScheme, code] = shortLink.exec(cell) ?? [];
  if (code === undefined) return undefined;
  return { host: (withScheme ?? withoutScheme ?? '').toLowerCase(), code };
}

function hostOf(url: string): string {
  const [, host = ''] = /^(?:https?:\/\/)?([^/?#\s]*)/i.exec(url) ?? [];
  return host.toLowerCase();
}

/**
 * Other services' codes may have letters that ours can't have. Such a column has codes too, and its
 * rows are rejected one by one.
 */
function couldBeCode(text: string): boolean {
  return isCode(text.replace(/[^\0-\x7f]/g, 'x'));
}

/** Capital letters, blanks and signs don't matter. */
export function simplify(name: string): string {
  return name.toLowerCase().replace(/[\s\p{P}\p{S}\p{Cf}]/gu, '');
}

/** A column of the file that isn't a field, as far as it's been read. */
export class UnknownColumn {
  readonly index: number;
  readonly name: string;
  #filled = 0;
  #codes = 0;
  #shortLinks = 0;
  #host: string | undefined;
  /** Different codes among the first ones. */
  readonly #sample = new Set<string>();
  #sampled = 0;

  constructor(index: number, name: string) {
    this.index = index;
    this.name = name || `column ${index + 1}`;
  }

  add(cell: string, url: string): void {
    this.#filled += 1;
    const link = splitShortLink(cell);
    const code = link?.code ?? cell;
    if (!link && !couldBeCode(cell)) return;
    this.#codes += 1;
    if (this.#sampled < maxSampledCells) {
      this.#sampled += 1;
      this.#sample.add(code);
    }
    // An image isn't a short link, and neither is a page of the destination's site.
    if (!link || link.code.includes('.') || link.host === hostOf(url)) return;
    this.#host ??= link.host;
    if (link.host === this.#host) this.#shortLinks += 1;
  }

  /** Most cells are addresses such as s.example/spring on one host, or codes under a name for them. */
  get hasCodes(): boolean {
    const likely = namesOfCodes.test(simplify(this.name)) ? this.#codes : this.#shortLinks;
    return this.#isVaried && 2 * likely > this.#filled;
  }

  /** Most cells could be codes, or the name says that they are. */
  get mayHaveCodes(): boolean {
    const known: readonly string[] = Object.values(extraColumns).flat();
    if (known.includes(simplify(this.name))) return false;
    return this.isNamedLikeCodes || (this.#isVaried && 2 * this.#codes > this.#filled);
  }

  get isNamedLikeCodes(): boolean {
    const name = simplify(this.name);
    return namesOfCodes.test(name) || linkFields.code.otherNames.test(name);
  }

  /** Two links rarely have the same code, but many have the same colour. */
  get #isVaried(): boolean {
    return 2 * this.#sample.size > this.#sampled;
  }
}
