import querystring from 'node:querystring';
import { notFoundError } from './code.ts';
import { readUrl } from './read-url.ts';

// The longest code, and 30 percent-encoded characters of three bytes.
const maxPathLength = 300;

/** The link that a visitor's path stands for. Throws an {@link HttpError} of 404 or 410. */
export async function findLink(path: string): Promise<{ code: string; url: string }> {
  for (const [index, code] of listSpellings(path).entries()) {
    // The second read costs half as much: anyone can cause it.
    const url = await readUrl(code, index === 0);
    if (url !== undefined) return { code, url };
  }
  throw notFoundError(path);
}

/**
 * The codes that a path may stand for, at most two: without what chats and documents append, which
 * no code can contain, such as a period or a zero-width space, and then in lower case.
 */
export function listSpellings(path: string): string[] {
  if (path.length > maxPathLength) return [];
  const [, code] =
    /^[^\w-]*([\w-]{4,32})(?:[^\w-][^A-Za-z0-9]*)?$/.exec(querystring.unescape(path)) ?? [];
  return code === undefined ? [] : [...new Set([code, code.toLowerCase()])];
}
