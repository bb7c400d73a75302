import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { BarChart } from '../charts/bar-chart.tsx';
import { toBars } from '../charts/scale.ts';
import { listDays } from '../days.ts';
import { countOf, formatChange, formatClock, formatCount, formatFullDay } from '../format.ts';
import { hashOfOverview, type OverviewQuery } from '../overview-query.ts';
import { isWithoutBots } from '../state/bots.ts';
import { today } from '../state/browser.ts';
import { loadOverview, type Overview, overview, overviewProblem } from '../state/overview.ts';
import { hashOf, hashOfList } from '../state/route.ts';
import { live } from '../state/services.ts';
import { ProblemNotice } from './notices.tsx';
import { OverviewControls } from './overview-controls.tsx';
import { OverviewLists } from './overview-lists.tsx';
import { Report } from './report.tsx';

/** The clicks on all links, or some of them, within a range, compared with an earlier one. */
export function OverviewView({ query }: { query: OverviewQuery }) {
  const key = hashOfOverview(query);
  // A new day moves ranges such as "last 7 days".
  const day = today.value;
  const load = () => loadOverview(query);
  useEffect(() => {
    document.title = 'Overview · click-tally';
    live.show({ reload: () => Promise.resolve(), problem: overviewProblem }, []);
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
      <h1 tabIndex={-1}>Overview of {describeChoice(query)}</h1>
      {(query.code || query.tag || query.search) && (
        <p class="back">
          <a href={hashOfOverview({ range: query.range, compare: query.compare })}>
            Show all links
          </a>
        </p>
      )}
      <OverviewControls query={query} />
      {problem && <ProblemNotice problem={problem} onRetry={load} />}
      {!problem && (
        <section class="panel" aria-label="Clicks" aria-busy={!shown}>
          {shown ? <Sums overview={shown} /> : <p role="status">Adding up the clicks…</p>}
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

function Sums({ overview }: { overview: Overview }) {
  const { people, bots, clicks, from, to, readAt, chosenLinks, oldLinks, hasMoreLinks } = overview;
  const unknown = clicks - people - bots;
  const figures = {
    'Clicks by people': people,
    ...(!isWithoutBots.value && { 'Clicks by bots': bots, Clicks: clicks }),
    ...(unknown > 0 && { 'By people or bots': unknown }),
  };
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
      <Change comparison={overview.comparison} />
      {oldLinks > 0 && (
        <p role="status">
          Still reading the newest clicks of {countOf(oldLinks, 'link')}, so these numbers are too
          low.
        </p>
      )}
      {hasMoreLinks && <p>These are the clicks on your newest 10,000 links.</p>}
      <Chart overview={overview} />
    </>
  );
}

/** How the clicks by people changed, with both numbers and both periods. */
function Change({ comparison }: Pick<Overview, 'comparison'>) {
  if (!comparison) return null;
  const { current, before } = comparison;
  return (
    <p class="change">
      {before.people > 0 && <b>{formatChange(current.people, before.people)} </b>}
      {countOf(current.people, 'click')} by people from {formatRange(current)}, against{' '}
      {formatCount(before.people)} from {formatRange(before)}
    </p>
  );
}

/** A range of UTC days for display: 1 Nov 2026 to 30 Nov 2026 (30 days, UTC). */
export function formatRange({ from, to }: { from: string; to: string }): string {
  const days = countOf(listDays(from, to).length, 'day');
  return `${formatFullDay(from)} to ${formatFullDay(to)} (${days}, UTC)`;
}

function Chart({ overview: { days, from, to } }: { overview: Overview }) {
  const names = isWithoutBots.value ? ['by people'] : ['by people', 'by bots', 'unknown'];
  const slots = toBars(days, listDays(from, to)).map(({ people, bots, unknown, ...bar }) => ({
    ...bar,
    counts: [people, bots, unknown].slice(0, names.length),
  }));
  return <BarChart names={names} slots={slots} />;
}
