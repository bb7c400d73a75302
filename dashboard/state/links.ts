import { batch, signal } from '@preact/signals';
import type { LinkAnswer, SumLinksAnswer } from '../../lib/links/answer-schemas.ts';
import type { Outcome } from '../../lib/links/import-rows.ts';
import type { CreateLinkRequest, UpdateLinkRequest } from '../../lib/links/link-request.ts';
import { addDays } from '../days.ts';
import { today } from './browser.ts';
import { counterOf, takeCounts } from './counters.ts';
import { ApiError, explain, isInDoubt, type Problem } from './problems.ts';
import { api, live } from './services.ts';

export const sparklineDays = 14;

const attemptsInDoubt = 3;
const pageSize = 25;
const largestPage = 100;
const requestsAtOnce = 4;

const restEveryMs = 30_000;
/** Many links are summed up less often: 10,000 cost a quarter of a cent (docs/decisions.md#the-page). */
const restEveryMsPerLink = 30;

/** The viewer's links, newest first; undefined until they're loaded. */
export const links = signal<LinkAnswer[] | undefined>(undefined);
export const cursor = signal<string | undefined>(undefined);
/** The sum of the links after the cursor, which aren't loaded; undefined until it's known. */
export const rest = signal<(SumLinksAnswer & { readAtMs: number }) | undefined>(undefined);
/** Links whose last days aren't known, because they haven't been read or couldn't be read. */
export const unread = signal<ReadonlySet<string>>(new Set());
export const linksProblem = signal<Problem | undefined>(undefined);

const readRest = createRestReader();

/** Links that were changed since a page was requested, which may have them as they were before. */
const changed = new Map<string, LinkAnswer>();

/** A link's total at the time its days were read. */
const daysReadAt = new Map<string, number>();

/** Reads the first page, or all pages shown before. Failures are shown as a problem. */
export async function loadLinks(): Promise<void> {
  await guard(async () => {
    changed.clear();
    const limit = Math.min(largestPage, Math.max(pageSize, links.peek()?.length ?? 0));
    const page = await api.listLinks({ limit });
    const known = new Set(page.links.map(({ code }) => code));
    const isLong = (links.peek()?.length ?? 0) > largestPage;
    // A page doesn't reach to the end of a long list, which keeps its older links and its cursor.
    const next = isLong ? cursor.peek() : page.cursor;
    const show = () => {
      // Links can be created while the page or the sum is read.
      const others = (links.peek() ?? []).filter(({ code }) => !known.has(code));
      // The index of links lags behind, so it may not have a link that was just created.
      const isKept = ({ createdAt }: LinkAnswer) => isLong || isRecent(createdAt);
      const newest = page.links.map((link) => changed.get(link.code) ?? link);
      links.value = newestFirst([...newest, ...others.filter(isKept)]);
      cursor.value = next;
    };
    takeLinks(page.links);
    // The first links needn't wait for the sum. Later, both change at once, so the total stays exact.
    if (!rest.peek()) batch(show);
    const [sum, failure] = await Promise.all([readRest(next), tryToReadDays(page.links)]);
    batch(() => {
      show();
      rest.value = sum;
    });
    if (failure) throw failure;
  });
}

/** Shows the newest links only, after many were created. */
export function reloadLinks(): Promise<void> {
  batch(() => {
    links.value = undefined;
    cursor.value = undefined;
    rest.value = undefined;
  });
  return loadLinks();
}

export async function loadMoreLinks(): Promise<void> {
  await guard(async () => {
    const page = await api.listLinks({ limit: pageSize, cursor: cursor.value });
    takeLinks(page.links);
    const [sum, failure] = await Promise.all([readRest(page.cursor), tryToReadDays(page.links)]);
    const known = new Set(links.peek()?.map(({ code }) => code));
    batch(() => {
      links.value = [...(links.peek() ?? []), ...page.links.filter(({ code }) => !known.has(code))];
      cursor.value = page.cursor;
      rest.value = sum;
    });
    if (failure) throw failure;
  });
}

/**
 * Creates a link and shows it first. Another request with the same key finds the link that the first
 * one created, so it's asked again while it's in doubt whether that has happened. Throws `ApiError`.
 */
export async function createLink(key: string, request: CreateLinkRequest): Promise<LinkAnswer> {
  const { code, shortUrl = '', outcome, message = '', fields } = await ask(key, request);
  if (code === undefined) throw new ApiError(outcome === 'over-quota' ? 429 : 400, message, fields);
  // The next read has the link as it's stored.
  const { url, expiresAt } = request;
  const totals = { clicks: 0, people: 0, bots: 0 };
  const link: LinkAnswer = {
    ...{ code, shortUrl, url, expiresAt: expiresAt ?? undefined, ...totals, disabled: false },
    createdAt: new Date().toISOString(),
  };
  links.value = [link, ...(links.peek() ?? []).filter((other) => other.code !== code)];
  return link;
}

async function ask(key: string, request: CreateLinkRequest, attempt = 1): Promise<Outcome> {
  try {
    const { outcomes } = await api.importLinks([{ ...request, key }]);
    return outcomes[0] ?? { outcome: 'refused' };
  } catch (error) {
    if (!isInDoubt(error) || attempt === attemptsInDoubt) throw error;
    await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
    return ask(key, request, attempt + 1);
  }
}

/** Changes a link, here and in the list. Throws `ApiError`. */
export async function updateLink(code: string, update: UpdateLinkRequest): Promise<LinkAnswer> {
  return replace(await api.updateLink(code, update));
}

/** Reads a link again, here and in the list. Throws `ApiError`. */
export async function readLink(code: string): Promise<LinkAnswer> {
  const stats = await api.readStats(code, { from: today.peek(), to: today.peek() });
  // The people and bots of a day aren't those of all time.
  const { people, bots } = counterOf(code).peek();
  return replace({ ...stats, people, bots });
}

function replace(updated: LinkAnswer): LinkAnswer {
  changed.set(updated.code, updated);
  links.value = links.peek()?.map((link) => (link.code === updated.code ? updated : link));
  return updated;
}

/** Returns the error, because links are shown without their days, too. */
async function tryToReadDays(newest: readonly LinkAnswer[]): Promise<unknown> {
  return readDays(newest).catch((error) => error);
}

/**
 * Reads the last days of links whose total has risen since the last read, a few links at a time: of
 * the shown ones, and of those about to be shown, so that the number of today stays exact.
 */
async function readDays(newest: readonly LinkAnswer[]): Promise<void> {
  const codes = new Set([...(links.peek() ?? []), ...newest].map(({ code }) => code));
  const behind = [...codes].filter(
    (code) => counterOf(code).peek().clicks > (daysReadAt.get(code) ?? 0),
  );
  const from = addDays(today.peek(), 1 - sparklineDays);
  const missing = new Set(behind);
  const addUnread = (codes: Iterable<string>) => {
    unread.value = new Set([...unread.peek(), ...codes]);
  };
  addUnread(behind.filter((code) => !daysReadAt.has(code)));
  const readNext = async (): Promise<void> => {
    const code = behind.shift();
    if (!code) return;
    const stats = await api.readStats(code, { from });
    // The people and bots of these days aren't those of all time.
    takeCounts(code, { days: stats.days });
    daysReadAt.set(code, stats.clicks);
    missing.delete(code);
    unread.value = new Set([...unread.peek()].filter((other) => other !== code));
    await readNext();
  };
  try {
    await Promise.all(Array.from({ length: requestsAtOnce }, readNext));
  } catch (error) {
    addUnread(missing);
    throw error;
  }
}

function takeLinks(answers: readonly LinkAnswer[]): void {
  for (const { code, clicks, people, bots } of answers) {
    takeCounts(code, { clicks, people, bots });
    live.sawRead(code, clicks);
  }
}

/** Sums up the links after a cursor. The last sum is returned again until it's old. */
function createRestReader() {
  let last: { cursor?: string; sum: SumLinksAnswer & { readAtMs: number } } | undefined;
  return async (cursor?: string) => {
    const ageMs = Date.now() - (last?.sum.readAtMs ?? 0);
    const everyMs = Math.max(restEveryMs, (last?.sum.links ?? 0) * restEveryMsPerLink);
    if (last && last.cursor === cursor && ageMs < everyMs) return last.sum;
    const sum = { links: 0, clicks: 0, today: 0, readAtMs: Date.now() };
    for (let next = cursor; next !== undefined; ) {
      const part = await api.sumLinks(next);
      sum.links += part.links;
      sum.clicks += part.clicks;
      sum.today += part.today;
      next = part.cursor;
    }
    last = { cursor, sum };
    return sum;
  };
}

let turn = Promise.resolve();

/** Runs one read after the other, so that an older answer never replaces a newer one. */
function guard(run: () => Promise<void>): Promise<void> {
  turn = turn.then(run).then(
    () => {
      linksProblem.value = undefined;
    },
    (error) => {
      linksProblem.value = explain(error);
    },
  );
  return turn;
}

function newestFirst(answers: LinkAnswer[]): LinkAnswer[] {
  return answers.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

function isRecent(createdAt: string): boolean {
  return Date.now() - Date.parse(createdAt) < 60_000;
}
