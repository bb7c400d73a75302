import { type Campaign, readCampaign } from './campaign.ts';
import { hostingNetworks } from './hosting-networks.ts';
import { classifyReferrer } from './referrers.ts';
import { isBot, readPlatform } from './user-agent.ts';

/** How a stage classifies visits. */
export interface VisitSettings {
  ownDomains: readonly string[];
  /** Whether visitors in data centers are bots, whatever their agent says. */
  hostingIsBot?: boolean;
}

/** A visit, for the breakdowns to classify. Only their values may leave the function. */
export interface Visit {
  /** The request's headers, with lower-case names. */
  headers: RequestHeaders;
  isBot: boolean;
  platform: string;
  network: string;
  referrer: string;
  campaign: Campaign;
  /** Of a person, if the visitors' key is known. */
  mark?: number;
}

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

// Longer headers only cost time.
export const maxAgentLength = 1_000;

/** Classifies a visit by its request headers, which have lower-case names, and its query. */
export function readVisit(
  headers: RequestHeaders,
  { ownDomains, hostingIsBot = false }: VisitSettings,
  query?: string,
): Visit {
  const agent = headers['user-agent']?.slice(0, maxAgentLength) ?? '';
  const network = classifyNetwork(headers['cloudfront-viewer-asn']);
  return {
    headers,
    // Every browser sends an agent.
    isBot:
      agent === '' ||
      isBot(agent) ||
      declaresBot(headers) ||
      (hostingIsBot && network === 'hosting'),
    platform: readPlatform(agent),
    network,
    referrer: classifyReferrer(headers.referer, ownDomains),
    campaign: readCampaign(query),
  };
}

const hosting = new Set(hostingNetworks.trim().split(/\s+/));

/**
 * Whose network a visit comes from, by the number of its autonomous system: `hosting` if it's in a
 * data centre, where hardly anybody browses, otherwise `other`.
 */
function classifyNetwork(number: string | undefined): 'hosting' | 'other' | 'unknown' {
  if (number === undefined) return 'unknown';
  return hosting.has(number) ? 'hosting' : 'other';
}

/**
 * Headers that programs send besides a browser's agent, and browsers never: a crawler's contact, a
 * signature (RFC 9421) that shows whose agent it is (web bot authentication), a security scanner's
 * name, and the host of a Cloudflare Worker.
 */
const botHeaders = ['from', 'signature-agent', 'signature-input', 'x-scanner', 'cf-worker'];

/** Whether other headers than the agent say that a program visits. Coding agents ask for Markdown. */
function declaresBot(headers: RequestHeaders): boolean {
  const start = (name: string) => headers[name]?.slice(0, maxAgentLength).toLowerCase() ?? '';
  return (
    botHeaders.some((name) => headers[name]) ||
    start('sec-ch-ua').includes('headless') ||
    start('accept').includes('text/markdown')
  );
}

/**
 * Why a client asks for a link. Only a `click` counts. A `speculation` looks ahead and may keep the
 * response for a later click, a `preview` shows the destination, and an `embed` is part of a page.
 */
type Purpose = 'click' | 'speculation' | 'preview' | 'embed';

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
