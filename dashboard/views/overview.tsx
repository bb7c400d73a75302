import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { BarChart } from '../charts/bar-chart.tsx';
import { toBars } from '../charts/scale.ts';
import { listDays } from '../days.ts';
import { countOf, formatClock, formatCount } from '../format.ts';
import { type Filter, filters, hashOfOverview, type OverviewQuery } from '../overview-query.ts';
import { isWithoutBots } from '../state/bots.ts';
import { today } from '../state/browser.ts';
import {
  loadOverview,
  type Overview,
  overview,
  overviewProblem,
  tellsPeople,
} from '../state/overview.ts';
import { hashOf, hashOfList } from '../state/route.ts';
import { live } from '../state/services.ts';
import { nameOf } from './breakdowns.tsx';
import { Change, formatRange } from './change.tsx';
import { Completeness } from './completeness.tsx';
import { Legend } from './legend.tsx';
import { ProblemNotice } from './notices.tsx';
import { OverviewControls } from './overview-controls.tsx';
import { OverviewLists } from './overview-lists.tsx';
import { Report } from './report.tsx';
import { OverviewVisitors, VisitorsChange } from './visitors.tsx';

/** The clicks on all links, or some of them, within a range, compared with an earlier one. */
export function OverviewView({ query }: { query: OverviewQuery }) {
  const key = hashOfOverview(query);
  // A new day moves ranges such as "last 7 days".
  const day = today.value;
  const load = () => loadOverview(query);
  useEffect(() => {
    document.title = 'Overview · click-tally';
    const hasNumbers = computed(() => overview.value !== undefined);
    live.show({ reload: () => Promise.resolve(), problem: overviewProblem, hasNumbers }, []);
  }, []);
  useEffect(load, [key, day]);
  const problem = overviewProblem.value;
  const shown = overview.value;
  return (
    <article class="overview">
      <nav class="back" aria-label="Back">
        {query.code ? (
          <a href={hashOf(query.code)}>‹ {query.code}</a>
        ) : (
          <a href={hashOfList(query.tag)}>‹ Your links</a>
        )}
      </nav>
      <h1 tabIndex={-1}>
        Overview of {describeChoice(query)}
        {query.filter && <FilterName filter={query.filter} />}
      </h1>
      <p class="back">
        {(query.code || query.tag || query.search) && (
          <a
            href={hashOfOverview({ ...query, code: undefined, tag: undefined, search: undefined })}
          >
            Show all links
          </a>
        )}
        {query.filter && (query.code || query.tag || query.search) && ' · '}
        {query.filter && (
          <a href={hashOfOverview({ ...query, filter: undefined })}>Show all clicks</a>
        )}
      </p>
      <OverviewControls query={query} />
      {problem && <ProblemNotice problem={problem} onRetry={load} />}
      {!problem && (
        <section class="panel" aria-label="Clicks" aria-busy={!shown}>
          {shown ? (
            <Sums query={query} overview={shown} />
          ) : (
            <p role="status">Adding up the clicks…</p>
          )}
        </section>
      )}
      {!problem && shown && <OverviewLists query={query} overview={shown} />}
      {!problem && shown && <Report query={query} />}
    </article>
  );
}

function describeChoice({ code, tag, search }: OverviewQuery): ComponentChildren {
  if (code) return <bdi>{code}</bdi>;
  if (tag) return <bdi class="tag">{tag}</bdi>;
  return search ? <bdi>“{search}”</bdi> : 'all links';
}

function FilterName({ filter: { name, value } }: { filter: Filter }) {
  return (
    <>
      , {filters[name]}: <bdi>{nameOf(name, value)}</bdi>
    </>
  );
}

function Sums({ query, overview }: { query: OverviewQuery; overview: Overview }) {
  const { filter } = query;
  const { people, bots, clicks, from, to, readAt, chosenLinks, oldLinks, hasMoreLinks } = overview;
  const { visitors, comparison } = overview;
  const unknown = clicks - people - bots;
  const isTold = tellsPeople(filter, overview);
  const { current = overview, before = overview } = comparison ?? {};
  const ofVisitors = {
    'Clicks by people': people,
    ...(visitors !== undefined && { '≈ Visitors': visitors }),
    ...(showsBots(query, overview) && { 'Clicks by bots': bots, Clicks: clicks }),
    ...(unknown > 0 && { 'By people or bots': unknown }),
  };
  const figures = isTold ? ofVisitors : { 'Clicks, with bots': clicks };
  return (
    <>
      <p class="muted">
        {formatRange({ from, to })} · {countOf(chosenLinks, 'link')} · as of{' '}
        {formatClock(Date.parse(readAt))}
      </p>
      <dl class="figures">
        {Object.entries(figures).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <Change
        comparison={comparison}
        oldLinks={oldLinks}
        isOfPeople={tellsPeople(filter, current, before)}
      />
      {oldLinks === 0 && <VisitorsChange comparison={comparison} />}
      <OverviewVisitors overview={overview} />
      <Completeness />
      {oldLinks > 0 && (
        <p role="status">
          Still reading the newest clicks of {countOf(oldLinks, 'link')}, so these numbers are too
          low.
        </p>
      )}
      {hasMoreLinks && <p>These are the clicks on your newest 10,000 links.</p>}
      {filter && <FilterNotes undivided={unknown} unread={overview.unread} />}
      {clicks > 0 || oldLinks > 0 ? (
        <Chart query={query} overview={overview} />
      ) : (
        <NoClicks query={query} />
      )}
    </>
  );
}

/** A part of the clicks may have no bots: a bot has no country. */
function showsBots({ filter }: OverviewQuery, { bots }: Overview): boolean {
  return !isWithoutBots.value && (!filter || bots > 0);
}

/** What isn't known of a part of the clicks. */
function FilterNotes({ undivided, unread }: { undivided: number; unread: Overview['unread'] }) {
  return (
    <>
      <p class="row-note">
        Days have a sum for each value, and not each visit, so a part of the clicks has no visitors
        and can't be split further.
        {undivided > 0 && ` ${countOf(undivided, 'click')} may be by people or by bots.`}
      </p>
      {unread && unread.links > 0 && (
        <p class="row-note is-problem">
          These numbers leave out {countOf(unread.links, 'link')} with up to{' '}
          {countOf(unread.clicks, 'click')}. Choose a shorter range or a tag to see them.
        </p>
      )}
    </>
  );
}

/** A new owner's clicks are all of today, which most ranges leave out. */
function NoClicks({ query }: { query: OverviewQuery }) {
  return (
    <div class="empty">
      <h2>No clicks in this range</h2>
      {query.range !== 'this-year' && (
        <p>
          Most ranges end yesterday.{' '}
          <a href={hashOfOverview({ ...query, range: 'this-year' })}>Show this year, with today</a>
        </p>
      )}
    </div>
  );
}

function Chart({ query, overview }: { query: OverviewQuery; overview: Overview }) {
  const { days, from, to } = overview;
  const bars = toBars(days, listDays(from, to));
  if (!tellsPeople(query.filter, overview)) {
    return <BarChart names={[]} slots={bars.map((bar) => ({ ...bar, counts: [bar.clicks] }))} />;
  }
  const hasUnknown = bars.some(({ unknown }) => unknown > 0);
  const all = ['by people', 'by bots', ...(hasUnknown ? ['unknown'] : [])];
  const names = showsBots(query, overview) ? all : ['by people'];
  const slots = bars.map(({ people, bots, unknown, ...bar }) => ({
    ...bar,
    counts: [people, bots, unknown].slice(0, names.length),
  }));
  return (
    <>
      <BarChart names={names} slots={slots} />
      <Legend names={names} />
    </>
  );
}
