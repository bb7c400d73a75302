import { isCode } from '../../lib/keys.ts';
import { completeUrl } from '../../lib/links/rules/link-fields.ts';
import { signsAroundAddress, trimSigns } from '../../lib/links/rules/search.ts';

export interface WantedLink {
  url?: string;
  code?: string;
}

/** The link that a search without a result may create: an address leads there, and a word is its code. */
export function toWantedLink(query: string, origin: string): WantedLink | undefined {
  const text = trimSigns(query.trim(), signsAroundAddress);
  const url = completeUrl(text);
  if (!URL.canParse(url)) return isCode(text) ? { code: text } : undefined;
  const { protocol, host, pathname } = new URL(url);
  if (host === new URL(origin).host) {
    const code = pathname.slice(1);
    return isCode(code) ? { code } : undefined;
  }
  return /^https?:$/.test(protocol) ? { url } : undefined;
}
