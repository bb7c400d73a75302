import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { countOf, formatCount } from '../format.ts';
import { hashOfOverview } from '../overview-query.ts';
import { found, query, tag } from '../state/arrangement.ts';
import { replaceHash } from '../state/browser.ts';
import { chooseNone, isChoosing } from '../state/chosen-links.ts';
import { lastDeleted } from '../state/deleted-links.ts';
import { isComplete, links, linksProblem, loadLinks, showLinks } from '../state/links.ts';
import { hashOfList } from '../state/route.ts';
import { api } from '../state/services.ts';
import { toWantedLink, type WantedLink } from '../state/wanted-link.ts';
import { ActionNote, useDownload } from './actions.tsx';
import { Button } from './button.tsx';
import { CreateLink } from './create-link.tsx';
import { DeletedNote } from './deleted-note.tsx';
import { LazyView } from './lazy-view.tsx';
import { ColumnHeads, LinkRow } from './link-row.tsx';
import { focusSearch, ListControls } from './list-controls.tsx';
import { ListTotals } from './list-totals.tsx';
import { Menu } from './menu.tsx';
import { ProblemNotice } from './notices.tsx';

const rowsAtOnce = 50;

// These outlive a visit to a link's own page.
const rowLimit = signal(rowsAtOnce);
const loadBulkBar = async () => (await import('./lazy-views.ts')).BulkBar;
const loadDeletedLinks = async () => (await import('./lazy-views.ts')).DeletedLinks;
const loadImportLinks = async () => (await import('./lazy-views.ts')).ImportLinks;

const isImporting = signal(false);
const areDeletedShown = signal(false);

/** What the dialog for a new link begins with, while it's open. */
const wanted = signal<WantedLink>();

function openDialog(link: WantedLink): void {
  wanted.value = link;
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
        <LazyView load={loadImportLinks} shows={(ImportLinks) => <ImportLinks />} />
      </Panel>
      <Panel title={deletedTitle} isOpen={areDeletedShown}>
        <LazyView load={loadDeletedLinks} shows={(DeletedLinks) => <DeletedLinks />} />
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
        <Button kind="primary" onClick={() => openDialog({})}>
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
      <ListTotals />
      <ActionNote note={note} />
      {wanted.value && <CreateLink wanted={wanted.value} onClose={close} />}
    </section>
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
          <Button onClick={() => openDialog({})}>Create a link</Button>
          <Button onClick={() => openPanel(isImporting, importTitle)}>Import from a file</Button>
        </p>
      </div>
    );
  }
  const hidden = found.value.length - rowLimit.value;
  return (
    <>
      <ListControls />
      {isChoosing.value && <LazyView load={loadBulkBar} shows={(BulkBar) => <BulkBar />} />}
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
          <Button onClick={() => openDialog(next)}>
            {next.code ? `Create ${next.code}` : 'Create a link to this address'}
          </Button>
        )}
      </p>
    </div>
  );
}
