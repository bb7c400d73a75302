import { batch, computed, effect, signal } from '@preact/signals';
import { addDays } from '../../lib/days.ts';
import type { LinkAnswer, ListLinksAnswer } from '../../lib/links/api/answer-schemas.ts';
import type { UpdateLinkRequest } from '../../lib/links/api/link-request.ts';
import { listDays } from '../days.ts';
import { isWithoutBots } from './bots.ts';
import { today } from './browser.ts';
import { counterOf, type DayCount, takeCounts } from './counts.ts';
import { watchedLinks } from './live-socket.ts';
import { ApiError, explain, isMissing, type Problem } from './problems.ts';
import { api, live } from './services.ts';

const sparklineDays = 14;
/** The first page is small, so the first rows appear soon. */
const firstPage = 100;
export const laterPages = 1_000;
const requestsAtOnce = 4;
const gatherMs = 300;

/** Many links are read less often: 10,000 cost a quarter of a cent (docs/decisions.md#the-page). */
const msPerLink = 30;

/** The viewer's links that are loaded, newest first; undefined until the first ones are. */
export const links = signal<LinkAnswer[]>();
/** Why the newest read of the links, or of their days, failed. {@link loadLinks} tries again. */
export const linksProblem = signal<Problem>();
/** The codes of the rows on screen. */
export const onScreen = signal<ReadonlySet<string>>(new Set());

/** When the newest read of all links began, in epoch milliseconds. */
const readAtMs = signal<number>();
/** Whether all of the viewer's links are loaded. */
export const isComplete = computed(() => readAtMs.value !== undefined);

/**
 * The clicks on all links, or those by people, in total and today; undefined until all are loaded. Without
 * `asOfMs`, the numbers are live. Otherwise they have every click that was counted by then. Today is undefined
 * while it's unknown.
 */
export const total = computed(() => {
  if (!links.value || readAtMs.value === undefined) return undefined;
  const sum = { links: links.value.length, clicks: 0, today: 0 as number | undefined };
  for (const { code } of links.value) {
    const { clicks, people, days } = counterOf(code).value;
    const ofToday = clicksOf(days.get(today.value));
    sum.clicks += isWithoutBots.value ? people : clicks;
    sum.today = ofToday === undefined || sum.today === undefined ? undefined : sum.today + ofToday;
  }
  const isLive = live.state.value === 'live' && sum.links <= watchedLinks;
  return { ...sum, asOfMs: isLive ? undefined : readAtMs.value };
});

/** A read of all links, a page after the other. If it fails, the next one continues it. */
interface Reading {
  startedAtMs: number;
  read: Map<string, LinkAnswer>;
  cursor?: string;
}
let reading: Reading | undefined;

/** Links as they are since a page was requested, which may be older. Deleted ones are undefined. */
const changed = new Map<string, LinkAnswer | undefined>();

/** Shows the list: reads and watches its links until the returned function is called. */
export function showLinks(): () => void {
  const restMs = () => (reading ? 0 : (links.peek()?.length ?? 0) * msPerLink);
  live.show({ reload: loadLinks, problem: linksProblem, hasNumbers: isComplete, restMs }, []);
  // On a new day, the numbers of today are unknown.
  const stopReading = today.subscribe(() => {
    if (Date.now() - (readAtMs.peek() ?? 0) > restMs()) loadLinks();
  });
  const stopWatching = effect(() => {
    const newest = links.value?.slice(0, watchedLinks).map(({ code }) => code) ?? [];
    live.watch(new Set([...onScreen.value, ...newest]));
  });
  return () => {
    stopReading();
    stopWatching();
  };
}

let lastRead = Promise.resolve();

/**
 * Reads all links, and shows the first ones early. Failures are shown as a problem. One read runs
 * after the other, so that an older answer never replaces a newer one.
 */
export function loadLinks(): Promise<void> {
  lastRead = lastRead
    .then(readPages)
    .then(readDays)
    .then(
      () => {
        linksProblem.value = undefined;
      },
      (error) => {
        linksProblem.value = explain(error);
      },
    );
  return lastRead;
}

async function readPages(): Promise<void> {
  if (!reading) changed.clear();
  reading ??= { startedAtMs: Date.now(), read: new Map() };
  const { read, startedAtMs } = reading;
  do {
    const { cursor }: Reading = reading;
    const page: ListLinksAnswer = await api
      .listLinks({ limit: links.peek() ? laterPages : firstPage, cursor })
      .catch((error) => {
        // A cursor is rejected if its link is gone.
        if (error instanceof ApiError && error.status === 400) reading = undefined;
        throw error;
      });
    reading = page.cursor === undefined ? undefined : { ...reading, cursor: page.cursor };
    batch(() => {
      for (const link of page.links) {
        const { code, clicks, people, bots } = link;
        read.set(code, link);
        takeCounts(code, { clicks, people, bots, days: [link.today] });
        live.sawRead(code, clicks);
      }
      if (!reading) show(read, startedAtMs);
      else if (!isComplete.peek()) show(read);
    });
  } while (reading);
}

/** Shows the links that were read. With `readAt`, they are all. */
function show(read: ReadonlyMap<string, LinkAnswer>, readAt?: number): void {
  const known = new Map([...read, ...changed]);
  // The index of links lags behind, so it may not have a link that was just created.
  const isKept = ({ code, createdAt }: LinkAnswer) =>
    !known.has(code) && (readAt === undefined || Date.parse(createdAt) > readAt - 60_000);
  const newest = [...known.values()].filter((link) => link !== undefined);
  links.value = [...newest, ...(links.peek() ?? []).filter(isKept)].sort(
    (a, b) => Number(a.createdAt < b.createdAt) - Number(a.createdAt > b.createdAt),
  );
  readAtMs.value = readAt ?? readAtMs.peek();
}

/** Changes a link, here and in the list. Throws `ApiError`. */
export async function updateLink(code: string, update: UpdateLinkRequest): Promise<LinkAnswer> {
  return setLink(code, await api.updateLink(code, update));
}

/** Reads a link again, here and in the list. Throws `ApiError`. */
export async function readLink(code: string): Promise<LinkAnswer> {
  const stats = await api.readStats(code, { from: today.peek(), to: today.peek() });
  // The people and bots of a day aren't those of all time.
  const { people, bots } = counterOf(code).peek();
  return setLink(code, { ...stats, people, bots });
}

/** Shows a link in the list as it is now. Without one, it's deleted. */
export function setLink<T extends LinkAnswer | undefined>(code: string, link: T): T {
  setLinks([[code, link]]);
  return link;
}

/** Shows many links as they are now. */
export function setLinks(entries: Iterable<[code: string, link: LinkAnswer | undefined]>): void {
  for (const [code, link] of entries) changed.set(code, link);
  const all = links.peek();
  if (all) show(new Map(all.map((each) => [each.code, each])));
}

/** The clicks before today of the links whose days were read. */
const pastsRead = signal<ReadonlyMap<string, number>>(new Map());
const isBehind = (code: string) => pastOf(code) !== (pastsRead.peek().get(code) ?? 0);

/** A link's clicks before today. */
function pastOf(code: string): number {
  const { clicks, days } = counterOf(code).value;
  return clicks - (days.get(today.value)?.count ?? 0);
}

/** A day's clicks, or those by people. */
export function clicksOf(day?: DayCount): number | undefined {
  return isWithoutBots.value ? day?.people : day?.count;
}

/** A link's clicks on each of the last days; undefined until they're known. */
export function lastDaysOf(code: string): number[] | undefined {
  const { days } = counterOf(code).value;
  const isUnread = pastOf(code) !== (pastsRead.value.get(code) ?? 0);
  if (isUnread || !days.has(today.value)) return undefined;
  const dates = listDays(addDays(today.value, 1 - sparklineDays), today.value);
  return dates.map((date) => clicksOf(days.get(date)) ?? 0);
}

let soon: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  clearTimeout(soon);
  if (![...onScreen.value].some(isBehind)) return;
  soon = setTimeout(() => {
    readDays().catch((error) => {
      linksProblem.value = explain(error);
    });
  }, gatherMs);
});

/** Reads the last days of the rows on screen that are behind, a few at a time. */
async function readDays(): Promise<void> {
  const from = addDays(today.peek(), 1 - sparklineDays);
  const waiting = [...onScreen.peek()].filter(isBehind).values();
  const readOn = async () => {
    // All loops take from the same iterator.
    for (const code of waiting) {
      try {
        const { clicks, days } = await api.readStats(code, { from });
        // The people and bots of these days aren't those of all time.
        const none = { date: today.peek(), count: 0, people: 0, bots: 0 };
        takeCounts(code, { clicks, days: [none, ...days] });
        pastsRead.value = new Map(pastsRead.peek()).set(code, pastOf(code));
      } catch (error) {
        if (!isMissing(error)) throw error;
        setLink(code, undefined);
      }
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, readOn));
}
