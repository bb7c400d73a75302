import type { RequestHeaders } from './visit.ts';

/**
 * Why a client asks for a link. Only a `click` counts. A `speculation` looks ahead and may keep the
 * response for a later click, a `preview` shows the destination, and an `embed` is part of a page.
 */
export type Purpose = 'click' | 'speculation' | 'preview' | 'embed';

/** Browsers say in these that nobody has clicked yet. */
const announcements = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** `Sec-Fetch-Dest` of a page inside another page. */
const frames = ['iframe', 'frame', 'embed', 'object', 'fencedframe'];

/** Longer than any value that a browser sends. */
const maxLength = 100;

export function readPurpose(headers: RequestHeaders): Purpose {
  const words = announcements.flatMap((name) => readWords(headers[name]));
  if (words.includes('prefetch') || words.includes('prerender')) return 'speculation';
  if (words.includes('preview')) {
    // The Facebook app keeps the page that it previews, and shows it after a tap.
    return headers['x-fb-http-engine'] === undefined ? 'preview' : 'speculation';
  }
  return isNavigation(headers) ? 'click' : 'embed';
}

/**
 * Whether somebody goes to the link's destination, as far as the browser says. Browsers send mode
 * and destination; Node's `fetch` sends only a mode. A page in a frame is a click only if a person
 * started it, which WebKit doesn't say.
 */
function isNavigation(headers: RequestHeaders): boolean {
  const destination = readToken(headers['sec-fetch-dest']);
  if (destination === '') return true;
  if (frames.includes(destination)) return headers['sec-fetch-user'] === '?1';
  const mode = readToken(headers['sec-fetch-mode']);
  return mode === '' ? destination === 'document' : mode === 'navigate';
}

function readWords(value = ''): string[] {
  return value
    .slice(0, maxLength)
    .toLowerCase()
    .split(/[\s,;]+/);
}

function readToken(value = ''): string {
  return value.length <= maxLength && /^[a-z-]+$/.test(value) ? value : '';
}
