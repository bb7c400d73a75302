import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import type { LinkTexts } from '../../lib/links/rules/link-fields.ts';
import { today } from './browser.ts';
import { takeCounts } from './counts.ts';
import { links } from './links.ts';
import { retryWhileInDoubt } from './requests.ts';
import { api } from './services.ts';

export type NewLink = LinkTexts & { code?: string };

/**
 * Creates a link and shows it first. It's safe to repeat the request, because a second one with the same
 * key finds the link that the first one created. Throws `ApiError`.
 */
export async function createLink(key: string, request: NewLink): Promise<LinkAnswer> {
  const created = await retryWhileInDoubt(() => api.createLink(request, key));
  const { code } = created;
  // The next read has its numbers.
  const link: LinkAnswer = {
    ...created,
    clicks: 0,
    people: 0,
    bots: 0,
    disabled: false,
    createdAt: new Date().toISOString(),
  };
  takeCounts(code, { days: [{ date: today.peek(), count: 0, people: 0, bots: 0 }] });
  links.value = [link, ...(links.peek() ?? []).filter((other) => other.code !== code)];
  return link;
}
