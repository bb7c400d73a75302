import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { dayMs, utcDay } from '../../lib/days.ts';
import { linkKey } from '../../lib/keys.ts';
import type { ClickAuditor } from './clicks/click-auditor.ts';
import type { SumsAudit } from './clicks/sums-audit.ts';
import { type ItemStore, keyOf, numberOf, staleForMs, textOf } from './dynamodb/item-store.ts';
import type { InvocationEnd, LambdaFunction } from './lambda.ts';
import type { Surroundings } from './surroundings.ts';
import type { WorldPlan } from './world-plan.ts';

/** When producers send clicks of a deleted link: clicks of a minute after the deletion still count. */
const burstsAfterMs = [1_000, 70_000, 200_000];
const maxTries = 6;
const url = 'https://example.com';
const read = 'GET /links/overview';
const [create, edit] = ['POST /links', 'PATCH /links/{code}'] as const;
const [remove, restore] = ['DELETE /links/{code}', 'POST /links/{code}/restore'] as const;

interface Reply {
  statusCode?: number;
  body: string;
}

type Functions = Record<'owner' | 'purger', Pick<LambdaFunction, 'invoke'>>;

interface Links extends Surroundings, Functions {
  aggregator: Pick<LambdaFunction, 'retireInstances'>;
  /** Sends clicks of a link. */
  sendClicks: (code: string) => void;
}

interface Overviews {
  items: ItemStore;
  sums: SumsAudit;
}

/** Schedules what owners do. */
export function startLives(world: Links & Overviews): void {
  const { plan, time } = world;
  const nameOf = (link: number) => `link-${link % plan.links}`;
  for (const life of plan.lives) {
    time.after(life.deleteAfterMs, () => live(world, nameOf(life.link), life));
  }
  for (const { afterMs, link } of plan.overviews) {
    time.after(afterMs, () => readOverview(world, nameOf(link)));
  }
  for (const { afterMs, link, body } of plan.standby?.edits ?? []) {
    time.after(afterMs, () => editLink(world, nameOf(link), body));
  }
  for (const [index, afterMs] of plan.standby?.newLinksAfterMs.entries() ?? []) {
    time.after(afterMs, () => createNewLink(world, `new-${index}`));
  }
}

/**
 * A link's owner edits and deletes it, and later restores it, or creates another one with its code after
 * a purge. Each request is repeated until it succeeds, or fails for good.
 */
function live(links: Links, code: string, { next, nextAfterMs }: WorldPlan['lives'][number]): void {
  const { plan, time, sendClicks } = links;
  const request = (route: string, body: object, onDone?: () => void) =>
    send(links, 'owner', toEvent(route, code, body), `${route} of ${code}`, onDone);
  const later = (action: () => void) => void time.after(nextAfterMs, action);
  const renew = () => {
    // Its earlier clicks are at least 90 days older, but here the purge's clock is ahead. No invocation takes as
    // long, no read misses the purge, and no instance remembers what it knew of the link.
    time.after(plan.settings.functionTimeoutMs + staleForMs, () => {
      links.aggregator.retireInstances();
      request(create, { url, code }, () => sendClicks(code));
    });
  };
  request(edit, { url: `${url}/edited` });
  request(remove, {}, () => {
    for (const afterMs of burstsAfterMs) time.after(afterMs, () => sendClicks(code));
    if (next === 'restore') later(() => request(restore, {}, () => sendClicks(code)));
    if (next === 'renew') later(() => purge(links, renew));
  });
}

/** A link's owner edits it, takes it down or enables it again. */
function editLink(links: Links, code: string, body: object): void {
  send(links, 'owner', toEvent(edit, code, body), `${edit} of ${code}`);
}

/** An owner creates a link, and producers send clicks of it at once. */
function createNewLink(links: Links, code: string): void {
  send(links, 'owner', toEvent(create, code, { url, code }), `${create} of ${code}`, () =>
    links.sendClicks(code),
  );
}

/** A link's owner reads its overview, which keeps its sums. */
function readOverview(links: Links & Overviews, code: string): void {
  const { items, plan, sums } = links;
  const rangeMs = 40 * dayMs;
  const { PK, SK } = linkKey(code);
  const key = { PK: { S: PK }, SK: { S: SK } };
  const readLink = () => items.get(keyOf(key)) ?? {};
  const before = readLink();
  const clicksBefore = numberOf(before, 'clicks');
  const query = {
    code,
    from: utcDay(plan.startMs - rangeMs),
    to: utcDay(plan.startMs + rangeMs),
  };
  const event = toEvent(read, code, {}, query);
  send(links, 'owner', event, `${read} of ${code}`, (answer) => {
    const isSame = textOf(readLink(), 'createdAt') === textOf(before, 'createdAt');
    if (answer.statusCode !== 200 || !isSame) return;
    sums.onAnswer({ code, clicksBefore, answer: JSON.parse(answer.body) });
  });
}

/** Runs purge-links twice at once. */
function purge(links: Links, onDone: () => void): void {
  send(links, 'purger', {}, 'purge', onDone);
  links.time.after(500, () => send(links, 'purger', {}, 'another purge'));
}

/** Purges the links that are still deleted. Nothing of them may remain. */
export async function purgeAll(
  world: Surroundings & Functions & { items: ItemStore; auditor: ClickAuditor },
): Promise<void> {
  const { items, time, auditor } = world;
  let isDone = false;
  send(world, 'purger', {}, 'last purge', () => {
    isDone = true;
  });
  await time.runUntil(() => isDone);
  for (const item of items.scan()) {
    if (item.deletedAt || textOf(item, 'PK') === 'DELETED') auditor.onUnpurged(keyOf(item));
  }
}

/** Invokes a function until it succeeds, or says that it can't. */
function send(
  links: Surroundings & Functions,
  role: keyof Functions,
  event: object,
  name: string,
  onDone: (answer: Reply) => void = () => {},
  triesLeft = maxTries,
): void {
  const { statistics, time, trace } = links;
  trace.note(() => `${role}: ${name}`);
  links[role].invoke(name, event, (end: InvocationEnd) => {
    const answer: Reply = Object('answer' in end ? end.answer : { statusCode: 500 });
    const { statusCode = 200 } = answer;
    statistics.add(`${name.replace(/ of .*/, '')} | ${statusCode}`);
    if (statusCode < 500) onDone(answer);
    else if (triesLeft > 1) {
      time.after(1_000, () => send(links, role, event, name, onDone, triesLeft - 1));
    }
  });
}

function toEvent(
  routeKey: string,
  code: string,
  body: object,
  queryStringParameters?: Record<string, string>,
): object {
  const [method = ''] = routeKey.split(' ');
  const parts = {
    routeKey,
    pathParameters: { code },
    body: JSON.stringify(body),
    queryStringParameters,
  };
  return makeHttpEvent(parts, { method });
}
