import { addDays, utcDay } from '../../../dashboard/days.ts';
import { summarizeDays } from '../../../lib/links/day-stats.ts';
import type { Day } from '../../../lib/links/days.ts';
import { describeLink } from '../../../lib/links/link-answer.ts';
import type { UpdateLinkRequest } from '../../../lib/links/link-request.ts';

/** A click's breakdown attributes, such as `vh` (lib/clicks/breakdowns.ts). */
export type Attributes = readonly string[];

interface FakeLink {
  url: string;
  createdAt: string;
  expiresAt?: string | null;
  disabled: boolean;
  disabledBy?: 'owner' | 'operator';
  clicks: number;
  vh: number;
  vb: number;
  days: Map<string, Record<string, number>>;
}

/** Links with counts, described by the service's own code. */
export function createFakeLinks(origin: () => string) {
  const links = new Map<string, FakeLink>();
  const linkOf = (code: string) => {
    const link = links.get(code);
    if (!link) throw new Error(`expected the link ${code} to exist`);
    return link;
  };
  const describe = (code: string) => {
    const { days, expiresAt, ...link } = linkOf(code);
    return describeLink(origin(), { ...link, ...(expiresAt && { expiresAt }), code });
  };
  const listDays = (code: string, from = '0000', to = '9999'): Day[] =>
    [...linkOf(code).days]
      .filter(([date]) => date >= from && date <= to)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([date, { count = 0, ...numbers }]) => ({ date, count, numbers }));

  return {
    has: (code: string) => links.has(code),
    codes: () => [...links.keys()].toReversed(),
    describe,
    add(code: string, url = `https://example.com/${code}`, ageDays = 0) {
      const ageMs = 60_000 + ageDays * 86_400_000;
      const createdAt = new Date(Date.now() - ageMs + links.size).toISOString();
      const totals = { clicks: 0, vh: 0, vb: 0 };
      links.set(code, { url, createdAt, disabled: false, ...totals, days: new Map() });
    },
    update(
      code: string,
      { expected, ...change }: UpdateLinkRequest,
      disabledBy: FakeLink['disabledBy'] = 'owner',
    ) {
      const link = Object.assign(linkOf(code), change);
      link.disabledBy = link.disabled ? (link.disabledBy ?? disabledBy) : undefined;
    },
    /** Counts clicks on the day `daysAgo` days ago. */
    count(code: string, clicks: number, attributes: Attributes, daysAgo = 0) {
      const link = linkOf(code);
      const date = addDays(utcDay(Date.now()), -daysAgo);
      const numbers = link.days.get(date) ?? {};
      for (const name of ['count', ...attributes]) numbers[name] = (numbers[name] ?? 0) + clicks;
      link.days.set(date, numbers);
      link.clicks += clicks;
      if (attributes.includes('vh')) link.vh += clicks;
      if (attributes.includes('vb')) link.vb += clicks;
    },
    /** A link as a list has it. */
    list: (code: string) => {
      const date = utcDay(Date.now());
      const [today] = summarizeDays(listDays(code, date, date)).days;
      return { ...describe(code), today: today ?? { date, count: 0, people: 0, bots: 0 } };
    },
    days: listDays,
    stats(code: string, from?: string, to?: string) {
      return { ...describe(code), ...summarizeDays(listDays(code, from, to)) };
    },
    /** A link as push-counts sends it, with its newest day. */
    toPush(code: string, date = utcDay(Date.now())) {
      const { clicks, people, bots } = describe(code);
      const { days, breakdowns } = this.stats(code, date, date);
      return { code, clicks, people, bots, days: days.map((day) => ({ ...day, breakdowns })) };
    },
  };
}

export type FakeLinks = ReturnType<typeof createFakeLinks>;
