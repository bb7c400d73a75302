import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import type { LinkTexts } from '../../lib/links/rules/link-fields.ts';
import { today } from './browser.ts';
import { takeCounts } from './counts.ts';
import { links } from './links.ts';
import { isInDoubt } from './problems.ts';
import { api } from './services.ts';

const attemptsInDoubt = 3;

export type NewLink = LinkTexts & { code?: string };

/**
 * Creates a link and shows it first. Another request with the same key finds the link that the first
 * one created, so it's asked again while it's in doubt whether that has happened. Throws `ApiError`.
 */
export async function createLink(key: string, request: NewLink): Promise<LinkAnswer> {
  const created = await ask(() => api.createLink(request, key));
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

async function ask<T>(request: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!isInDoubt(error) || attempt === attemptsInDoubt) throw error;
    await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
    return ask(request, attempt + 1);
  }
}
