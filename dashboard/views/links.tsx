import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { countOf, formatCount } from '../format.ts';
import { today } from '../state/browser.ts';
import { counterOf } from '../state/counters.ts';
import { cursor, links, linksProblem, loadLinks, loadMoreLinks } from '../state/links.ts';
import { announce, live } from '../state/services.ts';
import { Completeness } from './completeness.tsx';
import { CreateLink } from './create-link.tsx';
import { RollingFigure } from './figure.tsx';
import { LinkRow } from './link-row.tsx';
import { ProblemNotice } from './notices.tsx';

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
      {links.value ? <LinkList /> : !problem && <LoadingRows />}
    </>
  );
}

function Totals() {
  const shown = links.value ?? [];
  const counts = shown.map(({ code }) => counterOf(code).value);
  const clicks = counts.reduce((sum, count) => sum + count.clicks, 0);
  const clicksToday = counts.reduce(
    (sum, { days }) => sum + (days.get(today.value)?.count ?? 0),
    0,
  );
  useEffect(() => {
    if (clicks > 0) announce(`${countOf(clicks, 'click')} on your links`);
  }, [clicks]);
  const scope = cursor.value
    ? `clicks on your ${shown.length} newest links`
    : `${clicks === 1 ? 'click' : 'clicks'} on ${countOf(shown.length, 'link')}`;
  return (
    <section class="totals" aria-label="All your links">
      <h1 class="hidden">Your links</h1>
      <p class="total">
        <RollingFigure value={clicks} />
      </p>
      <p class="total-scope">
        {links.value ? scope : 'clicks'}
        <span class="muted"> · {formatCount(clicksToday)} today</span>
      </p>
      <Completeness counted={clicks} />
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
    live.watch(codes);
  };
  const isLoadingMore = useSignal(false);
  const more = async () => {
    isLoadingMore.value = true;
    await loadMoreLinks();
    isLoadingMore.value = false;
  };
  const shown = links.value ?? [];
  if (shown.length === 0) return <Empty />;
  return (
    <>
      <ul class="links" aria-label="Links">
        {shown.map((link) => (
          <LinkRow key={link.code} link={link} onShow={show} />
        ))}
      </ul>
      {cursor.value && (
        <p class="more">
          <button type="button" class="button" disabled={isLoadingMore.value} onClick={more}>
            {isLoadingMore.value ? 'Loading…' : 'Show older links'}
          </button>
        </p>
      )}
    </>
  );
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
