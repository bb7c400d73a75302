import { batch, signal } from '@preact/signals';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import type { CreateLinkRequest, UpdateLinkRequest } from '../../lib/links/link-request.ts';
import { addDays } from '../days.ts';
import { today } from './browser.ts';
import { counterOf, takeCounts } from './counters.ts';
import { explain, type Problem } from './problems.ts';
import { api, live } from './services.ts';

export const sparklineDays = 14;

const pageSize = 25;
const largestPage = 100;
const requestsAtOnce = 4;

/** The viewer's links, newest first; undefined until they're loaded. */
export const links = signal<LinkAnswer[] | undefined>(undefined);
export const cursor = signal<string | undefined>(undefined);
export const linksProblem = signal<Problem | undefined>(undefined);

/** A link's total at the time its days were read. */
const daysReadAt = new Map<string, number>();

/** Reads the first page, or all pages shown before. Failures are shown as a problem. */
export async function loadLinks(): Promise<void> {
  await guard(async () => {
    const limit = Math.min(largestPage, Math.max(pageSize, links.peek()?.length ?? 0));
    const page = await api.listLinks({ limit });
    // Links that were created meanwhile are shown already.
    const shown = links.peek() ?? [];
    const known = new Set(page.links.map(({ code }) => code));
    // The index of links lags behind, so it may not have a link that was just created.
    const recent = shown.filter(({ code, createdAt }) => !known.has(code) && isRecent(createdAt));
    const older = shown.length > largestPage ? shown.filter(({ code }) => !known.has(code)) : [];
    batch(() => {
      links.value = [...recent, ...page.links, ...older];
      if (older.length === 0) cursor.value = page.cursor;
      takeLinks(page.links);
    });
  });
  await readDays();
}

export async function loadMoreLinks(): Promise<void> {
  await guard(async () => {
    const page = await api.listLinks({ limit: pageSize, cursor: cursor.value });
    const known = new Set(links.peek()?.map(({ code }) => code));
    batch(() => {
      links.value = [...(links.peek() ?? []), ...page.links.filter(({ code }) => !known.has(code))];
      cursor.value = page.cursor;
      takeLinks(page.links);
    });
  });
  await readDays();
}

/** Creates a link and shows it first. Throws `ApiError`. */
export async function createLink(link: CreateLinkRequest): Promise<string> {
  const created = await api.createLink(link);
  const createdAt = new Date().toISOString();
  links.value = [
    { ...created, createdAt, clicks: 0, disabled: false },
    ...(links.peek() ?? []).filter(({ code }) => code !== created.code),
  ];
  return created.code;
}

export async function updateLink(code: string, update: UpdateLinkRequest): Promise<void> {
  const updated = await api.updateLink(code, update);
  links.value = links.peek()?.map((link) => (link.code === code ? updated : link));
}

/** Reads the last days of links whose total has risen since the last read, a few links at a time. */
async function readDays(): Promise<void> {
  const behind = (links.peek() ?? [])
    .map(({ code }) => code)
    .filter((code) => counterOf(code).peek().clicks > (daysReadAt.get(code) ?? 0));
  const from = addDays(today.peek(), 1 - sparklineDays);
  const readNext = async (): Promise<void> => {
    const code = behind.shift();
    if (!code) return;
    const stats = await api.readStats(code, { from });
    takeCounts(code, stats);
    daysReadAt.set(code, stats.clicks);
    await readNext();
  };
  await guard(async () => {
    await Promise.all(Array.from({ length: requestsAtOnce }, readNext));
  });
}

function takeLinks(answers: readonly LinkAnswer[]): void {
  for (const { code, clicks } of answers) {
    takeCounts(code, { clicks });
    live.sawRead(code, clicks);
  }
}

async function guard(run: () => Promise<void>): Promise<void> {
  try {
    await run();
    linksProblem.value = undefined;
  } catch (error) {
    linksProblem.value = explain(error);
  }
}

function isRecent(createdAt: string): boolean {
  return Date.now() - Date.parse(createdAt) < 60_000;
}
