import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { countOf, formatClock, formatCount } from '../format.ts';
import { arrange, type Order } from '../state/arrangement.ts';
import { today } from '../state/browser.ts';
import { counterOf } from '../state/counters.ts';
import {
  cursor,
  links,
  linksProblem,
  loadLinks,
  loadMoreLinks,
  rest,
  unread,
} from '../state/links.ts';
import { hashOf } from '../state/route.ts';
import { announce, api, live } from '../state/services.ts';
import { Completeness } from './completeness.tsx';
import { CreateLink } from './create-link.tsx';
import { Download } from './download.tsx';
import { RollingFigure } from './figure.tsx';
import { ImportLinks } from './import-links.tsx';
import { LinkRow } from './link-row.tsx';
import { ListControls } from './list-controls.tsx';
import { ProblemNotice } from './notices.tsx';

/** They outlive a visit to a link's own page. */
const searched = signal('');
const order = signal<Order>('newest');

export function LinksView() {
  useEffect(() => {
    document.title = 'Your links · click-tally';
    live.show({ reload: loadLinks }, []);
    loadLinks();
  }, []);
  const problem = linksProblem.value;
  return (
    <>
      <Totals />
      {problem && <ProblemNotice problem={problem} onRetry={loadLinks} />}
      <CreateLink />
      <section class="files" aria-label="Files">
        <ImportLinks />
        {links.value && links.value.length > 0 && (
          <Download label="Download links (CSV)" file="links.csv" read={api.readLinksAsCsv} />
        )}
      </section>
      {links.value ? <LinkList /> : !problem && <LoadingRows />}
    </>
  );
}

/** The exact total of all links: the shown ones, which are live, and the sum of the others. */
function Totals() {
  const shown = links.value ?? [];
  const others = rest.value;
  const isKnown = links.value !== undefined && others !== undefined;
  const counts = shown.map(({ code }) => counterOf(code).value);
  const clicks = counts.reduce((sum, count) => sum + count.clicks, others?.clicks ?? 0);
  const clicksToday = counts.reduce(
    (sum, { days }) => sum + (days.get(today.value)?.count ?? 0),
    others?.today ?? 0,
  );
  const isTodayKnown = !shown.some(({ code }) => unread.value.has(code));
  const linkCount = shown.length + (others?.links ?? 0);
  useEffect(() => {
    if (isKnown && clicks > 0) announce(`${countOf(clicks, 'click')} on your links`);
  }, [isKnown, clicks]);
  return (
    <section class="totals" aria-label="All your links">
      <h1 class="hidden" tabIndex={-1}>
        Your links
      </h1>
      <p class="total">
        {isKnown ? <RollingFigure value={clicks} /> : <span class="muted">–</span>}
      </p>
      <p class="total-scope">
        {isKnown
          ? `${clicks === 1 ? 'click' : 'clicks'} on ${countOf(linkCount, 'link')}`
          : 'clicks'}
        {isKnown && (
          <span class="muted"> · {isTodayKnown ? formatCount(clicksToday) : '–'} today</span>
        )}
        {isKnown && others.links > 0 && (
          <span class="muted"> · as of {formatClock(others.readAtMs)}</span>
        )}
      </p>
      {isKnown && linkCount > 0 && <Completeness counted={clicks} links={linkCount} />}
    </section>
  );
}

function LinkList() {
  const onScreen = useSignal<ReadonlySet<string>>(new Set());
  const show = (code: string, isShown: boolean) => {
    const codes = new Set(onScreen.peek());
    if (isShown) codes.add(code);
    else codes.delete(code);
    onScreen.value = codes;
  };
  const shown = links.value ?? [];
  // A connection watches at most 100 links: those on screen, then the newest.
  useEffect(() => {
    live.watch(new Set([...onScreen.value, ...shown.map(({ code }) => code)]));
  }, [onScreen.value, shown]);
  const found = useArranged(shown);
  const isLoadingMore = useSignal(false);
  const more = async () => {
    if (isLoadingMore.value) return;
    isLoadingMore.value = true;
    const before = new Set(shown.map(({ code }) => code));
    await loadMoreLinks();
    isLoadingMore.value = false;
    // The button may disappear, and would take the focus with it.
    requestAnimationFrame(() => focusFirst((code) => !before.has(code)));
  };
  if (shown.length === 0) return <Empty />;
  return (
    <>
      {shown.length > 1 && (
        <ListControls
          text={searched}
          order={order}
          loaded={shown.length}
          found={found.length}
          others={cursor.value ? rest.value?.links : 0}
        />
      )}
      <ul class="links" aria-label="Links">
        {found.map((link) => (
          <LinkRow key={link.code} link={link} onShow={show} />
        ))}
      </ul>
      {cursor.value && (
        <p class="more">
          <button type="button" class="button" aria-disabled={isLoadingMore.value} onClick={more}>
            {isLoadingMore.value ? 'Loading…' : 'Show older links'}
          </button>
        </p>
      )}
    </>
  );
}

/** Pushes don't reorder the list under the viewer's hand. The next read does. */
function useArranged(shown: LinkAnswer[]): LinkAnswer[] {
  const [by, text] = [order.value, searched.value];
  const peopleOf = (code: string) => counterOf(code).peek().people;
  return useMemo(() => arrange(shown, { order: by, text, peopleOf }), [shown, by, text]);
}

/** Focuses the first of the given links that's in the list or, without one, the search box. */
function focusFirst(isGiven: (code: string) => boolean): void {
  const hashes = new Set(links.peek()?.flatMap(({ code }) => (isGiven(code) ? hashOf(code) : [])));
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('.link-code')];
  const first = rows.find(({ hash }) => hashes.has(hash));
  (first ?? document.querySelector<HTMLElement>('.list-controls input'))?.focus();
}

function Empty() {
  return (
    <div class="empty">
      <h2>You don't have any links yet.</h2>
      <p>
        Paste a long address above to create your first one. Then open its short address, and watch
        the click arrive here.
      </p>
    </div>
  );
}

function LoadingRows() {
  return (
    <ul class="links is-loading" aria-busy="true" aria-label="Loading your links">
      {[0, 1, 2].map((row) => (
        <li key={row} class="link-row" />
      ))}
    </ul>
  );
}
