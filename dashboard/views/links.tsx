import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { countOf, formatClock, formatCount, formatFullDay, nameToday } from '../format.ts';
import { hashOfOverview } from '../overview-query.ts';
import { found, type Order, order, orders, query, search, tag } from '../state/arrangement.ts';
import { isWithoutBots } from '../state/bots.ts';
import { now, replaceHash } from '../state/browser.ts';
import { chooseNone, isChoosing } from '../state/chosen-links.ts';
import { lastDeleted } from '../state/deleted-links.ts';
import { isComplete, links, linksProblem, loadLinks, showLinks, total } from '../state/links.ts';
import { listVisitors, listVisitorsDays } from '../state/list-visitors.ts';
import { hashOfList } from '../state/route.ts';
import { announce, api, live } from '../state/services.ts';
import { toWantedLink, type WantedLink } from '../state/wanted-link.ts';
import { ActionNote, useDownload } from './actions.tsx';
import { Button } from './button.tsx';
import { Completeness } from './completeness.tsx';
import { Count } from './count.tsx';
import { CreateLink } from './create-link.tsx';
import { DeletedNote } from './deleted-note.tsx';
import { Later } from './later-view.tsx';
import { ColumnHeads, LinkRow } from './link-row.tsx';
import { Menu } from './menu.tsx';
import { ProblemNotice } from './notices.tsx';
import { WithoutBots } from './without-bots.tsx';

const rowsAtOnce = 50;

// These outlive a visit to a link's own page.
const rowLimit = signal(rowsAtOnce);
const loadBulkBar = async () => (await import('./later-views.ts')).BulkBar;
const loadDeletedLinks = async () => (await import('./later-views.ts')).DeletedLinks;
const loadImportLinks = async () => (await import('./later-views.ts')).ImportLinks;

const isImporting = signal(false);
const areDeletedShown = signal(false);

/** What the dialog for a new link begins with, while it's open. */
const wanted = signal<WantedLink>();

function focusSearch(): void {
  document.querySelector<HTMLElement>('.list-controls input')?.focus();
}

function set<T>(shown: Signal<T>, value: T): void {
  shown.value = value;
}

export function LinksView() {
  useEffect(() => {
    document.title = 'Your links · click-tally';
    return showLinks();
  }, []);
  const problem = linksProblem.value;
  const deleted = lastDeleted.value;
  return (
    <>
      <ListHead />
      {problem && <ProblemNotice problem={problem} onRetry={loadLinks} />}
      {deleted && <DeletedNote key={deleted} code={deleted} />}
      <Panel title={importTitle} isOpen={isImporting}>
        <Later load={loadImportLinks} shows={(ImportLinks) => <ImportLinks />} />
      </Panel>
      <Panel title={deletedTitle} isOpen={areDeletedShown}>
        <Later load={loadDeletedLinks} shows={(DeletedLinks) => <DeletedLinks />} />
      </Panel>
      {links.value && <LinkList />}
      {!links.value && !problem && <div class="links is-loading" aria-busy="true" />}
    </>
  );
}

interface PanelProps {
  title: string;
  isOpen: Signal<boolean>;
  children: ComponentChildren;
}

const importTitle = 'Import links';
const deletedTitle = 'Deleted links';

/** A panel above the list, until it's closed. */
function Panel({ title, isOpen, children }: PanelProps) {
  if (!isOpen.value) return null;
  const close = () => {
    isOpen.value = false;
    document.querySelector<HTMLElement>('.list-head .menu button')?.focus();
  };
  return (
    <section class="import panel" aria-labelledby={idOf(title)}>
      <header class="panel-head">
        <h2 id={idOf(title)} tabIndex={-1}>
          {title}
        </h2>
        <Button kind="quiet" onClick={close}>
          Close
        </Button>
      </header>
      {children}
    </section>
  );
}

function idOf(title: string): string {
  return title.replace(' ', '-');
}

/** Opens a panel, and moves the focus there from the menu, which would keep it. */
function openPanel(isOpen: Signal<boolean>, title: string): void {
  isOpen.value = true;
  requestAnimationFrame(() => document.getElementById(idOf(title))?.focus());
}

function toggleChoosing(): void {
  isChoosing.value = !isChoosing.value;
  chooseNone();
}

/** The total, and what can be done with the whole list. */
function ListHead() {
  const close = () => {
    wanted.value = undefined;
    // The button of a search without a result goes once there is one.
    if (document.activeElement === document.body) focusSearch();
  };
  const { note, save } = useDownload();
  return (
    <section class="list-head" aria-label="All your links">
      <h1 tabIndex={-1}>Your links</h1>
      <div class="buttons">
        <Button kind="primary" onClick={() => set(wanted, {})}>
          New link
        </Button>
        <a class="button" href={hashOfOverview({ tag: tag.value, search: query.value.trim() })}>
          Overview
        </a>
        <Menu label="Import, restore and more">
          <Button kind="quiet" onClick={toggleChoosing}>
            {isChoosing.value ? 'Stop choosing' : 'Choose links'}
          </Button>
          <Button kind="quiet" onClick={() => openPanel(isImporting, importTitle)}>
            Import links
          </Button>
          <Button kind="quiet" onClick={() => save('links.csv', api.readLinksAsCsv)}>
            Download links (CSV)
          </Button>
          <Button kind="quiet" onClick={() => openPanel(areDeletedShown, deletedTitle)}>
            Deleted links
          </Button>
        </Menu>
      </div>
      <Totals />
      <ActionNote note={note} />
      {wanted.value && <CreateLink wanted={wanted.value} onClose={close} />}
    </section>
  );
}

function Totals() {
  const all = total.value;
  const isStopped = ['failing', 'expired', 'offline'].includes(live.state.value);
  const clicks = all?.clicks ?? 0;
  useEffect(() => {
    if (clicks > 0) announce(`${countOf(clicks, 'click')} on your links`);
  }, [clicks]);
  if (all?.links === 0) return null;
  return (
    <div class="totals">
      <p>
        <span class="total">{all ? <Count value={clicks} /> : '–'}</span>{' '}
        <span class="total-scope">
          {all
            ? `${clicks === 1 ? 'click' : 'clicks'}${isWithoutBots.value ? ' by people' : ''} counted on ${countOf(all.links, 'link')}`
            : `clicks. ${isStopped ? "They couldn't be added up." : 'Adding them up…'}`}
          {all && (
            <span class="muted">
              {' '}
              · {all.today === undefined ? '–' : formatCount(all.today)} {nameToday(now.value)}
              {all.asOfMs !== undefined && ` · as of ${formatClock(all.asOfMs)}`}
            </span>
          )}
        </span>
      </p>
      {all && <Completeness />}
    </div>
  );
}

function LinkList() {
  const more = () => {
    const first = rowLimit.value;
    rowLimit.value += rowsAtOnce;
    // The button may disappear, and would take the focus with it.
    requestAnimationFrame(() =>
      document.querySelectorAll<HTMLElement>('.link-code')[first]?.focus(),
    );
  };
  if (links.value?.length === 0) {
    return (
      <div class="empty">
        <h2>You don't have any links yet.</h2>
        <p>Create one, open the short link, and watch the click arrive here.</p>
        <p class="buttons">
          <Button onClick={() => set(wanted, {})}>Create a link</Button>
          <Button onClick={() => openPanel(isImporting, importTitle)}>Import from a file</Button>
        </p>
      </div>
    );
  }
  const hidden = found.value.length - rowLimit.value;
  return (
    <>
      <ListControls />
      {isChoosing.value && <Later load={loadBulkBar} shows={(BulkBar) => <BulkBar />} />}
      {found.value.length === 0 ? <NothingFound /> : <ColumnHeads />}
      <ul class="links" aria-label="Links">
        {found.value.slice(0, rowLimit.value).map((link) => (
          <LinkRow key={link.code} link={link} />
        ))}
      </ul>
      {hidden > 0 && (
        <p class="more">
          <Button onClick={more}>
            Show {formatCount(Math.min(hidden, rowsAtOnce))} of {countOf(hidden, 'more link')}
          </Button>
        </p>
      )}
    </>
  );
}

/** What a search without a result can be followed by. While links are missing, nobody knows if one exists. */
function NothingFound() {
  const [{ shortUrl = '' } = {}] = links.value ?? [];
  const text = query.value.trim();
  const next = isComplete.value ? toWantedLink(text, shortUrl) : undefined;
  const showAll = () => {
    replaceHash(hashOfList());
    focusSearch();
  };
  return (
    <div class="empty">
      <h2>No link is found.</h2>
      {tag.value !== undefined && text !== '' && (
        <p>Only links with the tag {<bdi class="tag">{tag.value}</bdi>} are searched.</p>
      )}
      <p class="buttons">
        <Button onClick={showAll}>Show all links</Button>
        {next && (
          <Button onClick={() => set(wanted, next)}>
            {next.code ? `Create ${next.code}` : 'Create a link to this address'}
          </Button>
        )}
      </p>
    </div>
  );
}

/** What the visitors of the list's rows are, or why there are none. */
function describeVisitors(): string {
  const known = listVisitors.value;
  if (!known) return 'Counting visitors…';
  if (known.unreadVisitors) {
    const days = countOf(known.unreadVisitors.linkDays, 'day');
    return `Your links have too many days with clicks (${days}) to count their visitors here. Open the overview of a tag or a search to see them.`;
  }
  if (known.visitors === undefined) return "Visitors aren't known.";
  const since = known.visitorsSince ? `, counted since ${formatFullDay(known.visitorsSince)}` : '';
  return `Visitors are people in the last ${listVisitorsDays} days${since}, estimated, usually within 2%.`;
}

/** Searches and sorts the links, and says which ones, while some aren't loaded. */
function ListControls() {
  const loaded = countOf(links.value?.length ?? 0, 'link');
  const others = linksProblem.value
    ? "The older ones couldn't be loaded."
    : 'Loading the older ones…';
  return (
    <search class="list-controls field">
      <input
        type="search"
        aria-label="Search links"
        placeholder="Search code, URL…"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        value={query.value}
        maxLength={500}
        onInput={({ currentTarget }) => search(currentTarget.value)}
      />
      <select
        aria-label="Sort by"
        value={order.value}
        onChange={({ currentTarget }) => set(order, currentTarget.value as Order)}
      >
        {Object.entries(orders).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <WithoutBots />
      <p class="list-scope" role="status">
        {tag.value !== undefined && (
          <>
            <bdi class="tag">{tag.value}</bdi>{' '}
            <a href={hashOfList(undefined, query.value)}>Show all links</a>{' '}
          </>
        )}
        {(query.value.trim() !== '' || tag.value !== undefined) &&
          `${formatCount(found.value.length)} of ${loaded} found. `}
        {!isComplete.value && `Search and sorting cover the newest ${loaded}. ${others} `}
        {order.value === 'visitors' && describeVisitors()}
      </p>
    </search>
  );
}
