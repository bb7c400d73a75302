import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { countOf, formatClock, formatCount } from '../format.ts';
import { found } from '../state/arrangement.ts';
import { links, linksProblem, loadLinks, onScreen, showLinks, total } from '../state/links.ts';
import { announce, api } from '../state/services.ts';
import { Completeness } from './completeness.tsx';
import { CreateLink } from './create-link.tsx';
import { Download } from './download.tsx';
import { RollingFigure } from './figure.tsx';
import { ImportLinks } from './import-links.tsx';
import { LinkRow } from './link-row.tsx';
import { ListControls } from './list-controls.tsx';
import { ProblemNotice } from './notices.tsx';

const rowsAtOnce = 50;

export function LinksView() {
  useEffect(() => {
    document.title = 'Your links · click-tally';
    return showLinks();
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

function Totals() {
  const all = total.value;
  const clicks = all?.clicks ?? 0;
  useEffect(() => {
    if (clicks > 0) announce(`${countOf(clicks, 'click')} on your links`);
  }, [clicks]);
  return (
    <section class="totals" aria-label="All your links">
      <h1 class="hidden" tabIndex={-1}>
        Your links
      </h1>
      <p class="total">
        {all ? <RollingFigure value={all.clicks} /> : <span class="muted">–</span>}
      </p>
      <p class="total-scope">
        {all
          ? `${clicks === 1 ? 'click' : 'clicks'} counted on ${countOf(all.links, 'link')}`
          : 'clicks'}
        {all && (
          <span class="muted">
            {' '}
            · {all.today === undefined ? '–' : formatCount(all.today)} today
            {all.asOfMs !== undefined && ` · as of ${formatClock(all.asOfMs)}`}
          </span>
        )}
      </p>
      {all && all.links > 0 && <Completeness links={all.links} />}
    </section>
  );
}

function LinkList() {
  const limit = useSignal(rowsAtOnce);
  const show = (code: string, isShown: boolean) => {
    const codes = new Set(onScreen.peek());
    if (isShown) codes.add(code);
    else codes.delete(code);
    onScreen.value = codes;
  };
  const more = () => {
    const first = limit.value;
    limit.value += rowsAtOnce;
    // The button may disappear, and would take the focus with it.
    requestAnimationFrame(() =>
      document.querySelectorAll<HTMLElement>('.link-code')[first]?.focus(),
    );
  };
  if (links.value?.length === 0) return <Empty />;
  const hidden = found.value.length - limit.value;
  return (
    <>
      <ListControls />
      <ul class="links" aria-label="Links">
        {found.value.slice(0, limit.value).map((link) => (
          <LinkRow key={link.code} link={link} onShow={show} />
        ))}
      </ul>
      {hidden > 0 && (
        <p class="more">
          <button type="button" class="button" onClick={more}>
            Show {formatCount(Math.min(hidden, rowsAtOnce))} more of {countOf(hidden, 'link')}
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
