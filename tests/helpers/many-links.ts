import { dayMs } from '../../lib/days.ts';
import { type Item, isoDay, link } from './items.ts';

const dayCount = 60;

export interface Sums {
  clicks: number;
  people: number;
  bots: number;
}

/** What a link was sent on a day. */
export interface Sent extends Sums {
  code: string;
  isTagged: boolean;
  daysAgo: number;
}

/** The day this many days ago. */
export const ago = (days: number) => isoDay(Date.now() - days * dayMs);

/** All clicks on a link are from Germany, or none. */
export const isGerman = (code: string) => code.endsWith('0');

export function addUp(rows: readonly Sums[]): Sums {
  const sums = { clicks: 0, people: 0, bots: 0 };
  for (const { clicks, people, bots } of rows) {
    sums.clicks += clicks;
    sums.people += people;
    sums.bots += bots;
  }
  return sums;
}

/** Makes this many links with clicks on 60 days, and the items that count them. */
export function makeManyLinks(owner: string, linkCount: number): { items: Item[]; sent: Sent[] } {
  const items: Item[] = [];
  const sent: Sent[] = [];
  for (let number = 0; number < linkCount; number += 1) {
    const days = sendToLink(number);
    const code = `link-${number}`;
    const { clicks, people, bots } = addUp(days);
    const texts = { title: `Straße ${number}`, ...(number % 5 === 0 && { tags: ['spring'] }) };
    items.push({ ...link(code, clicks), owner, ...texts, vh: people, vb: bots });
    items.push(...days.map(makeDay));
    sent.push(...days);
  }
  return { items, sent };
}

function sendToLink(number: number): Sent[] {
  const days: Sent[] = [];
  for (let daysAgo = 0; daysAgo < dayCount; daysAgo += 1) {
    const people = (number * 7 + daysAgo * 3) % 5;
    const bots = (number + daysAgo) % 3;
    const clicks = people + bots + (number % 2);
    // Half of the links have no clicks for weeks.
    const isQuiet = number % 2 === 0 && daysAgo > 20;
    const sums = { daysAgo, clicks, people, bots };
    if (clicks === 0 || isQuiet) continue;
    days.push({ code: `link-${number}`, isTagged: number % 5 === 0, ...sums });
  }
  return days;
}

/** Clicks by bots that came earlier have a device, a source and a country. */
export const divideDaysAgo = 35;

/** The item of a link's day. All clicks came from phones, and directly. */
export function makeDay({ code, daysAgo, clicks, people, bots }: Omit<Sent, 'isTagged'>): Item {
  const dividedBots = daysAgo <= divideDaysAgo ? bots : 0;
  const rest = clicks - dividedBots;
  return {
    PK: `LINK#${code}`,
    SK: `STAT#${ago(daysAgo)}`,
    count: clicks,
    vh: people,
    vb: bots,
    vu: clicks - people - bots,
    dm: rest,
    db: dividedBots,
    rd: rest,
    rb: dividedBots,
    [isGerman(code) ? 'cc' : 'c2']: rest,
    cw: dividedBots,
  };
}
