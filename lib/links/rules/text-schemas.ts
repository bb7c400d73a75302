import * as z from 'zod/mini';
import { cleanText, spellTag, trimInvisible } from '../../clean-text.ts';
import { type LineField, lines } from './link-fields.ts';

export const maxUrlLength = 2_048;
// Owners see these sentences next to the form's fields.
const enterUrl = 'Enter a web address, such as https://example.com/page.';
const shortenUrl = `Shorten the address: ${maxUrlLength.toLocaleString('en-US')} characters are the maximum, and special characters count several times.`;
const shortenHost = 'Shorten the domain: 253 characters are the maximum.';
const expectedLine = 'a text or null';
const expectedTags = 'a list of texts or null';
const reduceTags = 'Remove some tags: 10 are the maximum.';
const shortenTag = 'Shorten the tag: 50 characters are the maximum.';
const cleanTag = 'Remove the comma, semicolon or | from the tag.';

const cleanUrlSchema = z.string(enterUrl).check(
  z.refine((url) => !/[\s\p{Cc}]/u.test(url) && url.isWellFormed(), {
    error: 'Remove the line breaks and control characters from the address.',
    abort: true,
  }),
  // Browsers read a backslash as a slash and other programs don't, so they see different hosts.
  z.regex(/^[^\\]*$/, { error: 'Remove the backslash from the address.', abort: true }),
  z.regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#]/, { error: enterUrl, abort: true }),
  // A user name such as the one in https://your-bank.example@other.example/ deceives visitors.
  z.regex(/^[^/]*\/\/[^/?#@]*([/?#]|$)/, {
    error: 'Remove the user name and password from the address.',
    abort: true,
  }),
  // Node.js accepts the prefix of an encoded label without its rest.
  z.regex(/^(?![^/]*\/\/([^/?#]*\.)?xn--([.:/?#]|$))/i, { error: enterUrl, abort: true }),
  // Parsing a Unicode host is quadratic. A port and a trailing dot are seven characters.
  z.regex(/^[^/]*\/\/[^/?#]{1,260}([/?#]|$)/, { error: shortenHost, abort: true }),
  z.refine((url) => URL.canParse(url), enterUrl),
);

export const urlSchema = z
  .pipe(
    z.pipe(
      z.string(enterUrl).check(z.maxLength(maxUrlLength, { error: shortenUrl, abort: true })),
      z.transform(cleanUrl),
    ),
    z.pipe(cleanUrlSchema, z.transform(encodeUrl)),
  )
  .check(z.maxLength(maxUrlLength, shortenUrl));

const maxTag = z.maxLength(50, { error: shortenTag, abort: true });

export function lineSchema(name: LineField) {
  const { label, most } = lines[name];
  const error = `Shorten the ${label.toLowerCase()}: ${most} characters are the maximum.`;
  const maxLength = z.maxLength(most, { error, abort: true });
  return z.pipe(
    z.pipe(z.string(expectedLine).check(maxLength), z.transform(cleanText)),
    // Cleaning can make several characters of one.
    z.pipe(
      z.string().check(maxLength),
      z.transform((text) => text || null),
    ),
  );
}

const tagSchema = z.pipe(
  z.pipe(
    z.string(expectedTags).check(maxTag, z.regex(/^[^,;|\n]*$/, { error: cleanTag, abort: true })),
    z.transform(spellTag),
  ),
  z.string().check(maxTag),
);

export const tagsSchema = z.pipe(
  z.array(tagSchema, expectedTags).check(z.maxLength(10, reduceTags)),
  z.transform((tags) => {
    const different = new Set(tags.filter((tag) => tag !== ''));
    return different.size > 0 ? [...different] : null;
  }),
);

/** A flag is stored only if it's on. */
export const flagSchema = z.pipe(
  z.boolean('true or false'),
  z.transform((isOn) => isOn || null),
);

/** Removes invisible characters from both ends, and encodes the spaces between. */
function cleanUrl(url: string): string {
  return trimInvisible(url).replace(/\p{Zs}/gu, '%20');
}

// A header must be ASCII. Percent-encoding leaves the rest of a URL unchanged.
function encodeUrl(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href;
}
