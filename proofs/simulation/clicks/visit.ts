import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { linkKey } from '../../../lib/keys.ts';
import { type ItemStore, keyOf, textOf } from '../dynamodb/item-store.ts';
import type { LambdaFunction } from '../lambda.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ClickAuditor } from './click-auditor.ts';
import type { RedirectAudit } from './redirect-audit.ts';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
/** A person on a computer, one who follows a link on a phone, and a program. */
const visitors: Record<string, string>[] = [
  { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0' },
  { 'user-agent': iphone, referer: 'https://www.google.com/' },
  { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
];

export interface VisitedWorld extends Surroundings {
  auditor: ClickAuditor;
  items: ItemStore;
  resolver: Pick<LambdaFunction, 'invoke'>;
  standby: (Redirect & { isAskedFirst: () => boolean }) | undefined;
}

interface Visit {
  visit: string;
  code: string;
  query: string;
  /** Any number. */
  visitor: number;
}

/** A Region's redirect. */
interface Redirect {
  resolver: Pick<LambdaFunction, 'invoke'>;
  redirects: RedirectAudit;
  /** When a link stopped redirecting, according to the Region's table. */
  downSinceMs: (code: string) => number | undefined;
  /** For the statistics. */
  prefix: string;
}

/** A visitor follows a link, and gets to the standby, if there's one, when the home Region fails. */
export function followLink(world: VisitedWorld, visit: Visit): void {
  const { auditor, items, resolver, standby } = world;
  const home = {
    resolver,
    redirects: auditor.redirects,
    downSinceMs: (code: string) => readDeletion(items, code),
    prefix: '',
  };
  if (!standby) {
    ask(world, home, visit);
    return;
  }
  const failOver = () => ask(world, standby, { ...visit, visit: `${visit.visit} at the standby` });
  if (standby.isAskedFirst()) failOver();
  else ask(world, home, visit, failOver);
}

function ask(
  { auditor, plan, statistics, time }: VisitedWorld,
  { resolver, redirects, downSinceMs, prefix }: Redirect,
  { visit, code, query, visitor }: Visit,
  onFailure = () => {},
): void {
  const headers = { host: 'go.example.com', 'x-forwarded-proto': 'https' };
  Object.assign(headers, visitors[visitor % visitors.length]);
  const event = makeHttpEvent({ pathParameters: { code }, headers, rawQueryString: query });
  const fromMs = time.nowMs;
  const instance = resolver.invoke(visit, event, (end) => {
    const { statusCode } = Object('answer' in end ? end.answer : {});
    const isRedirected = statusCode === 302;
    statistics.add(`${prefix}${isRedirected ? 'redirects' : 'rejected visits'}`);
    if (isRedirected) auditor.visits.onRedirected(visit);
    if (statusCode === undefined || statusCode >= 500) onFailure();
    if (statusCode === undefined) return;
    const answer = { visit, instance, code, fromMs, statusCode };
    redirects.onAnswer(answer, {
      deletedAtMs: downSinceMs(code),
      isSteady: plan.lives.length === 0 && plan.standby === undefined,
      isTimed: plan.freezeRate === 0,
    });
  });
}

function readDeletion(items: ItemStore, code: string): number | undefined {
  const { PK, SK } = linkKey(code);
  const link = items.get(keyOf({ PK: { S: PK }, SK: { S: SK } }));
  return link?.deletedAt && Date.parse(textOf(link, 'deletedAt'));
}
