import type { ComponentChildren } from 'preact';
import {
  botValue,
  findUndivided,
  hasKnownValues,
  type Undivided,
} from '../../lib/clicks/undivided.ts';
import { countOf } from '../format.ts';
import { type Filter, hashOfOverview, type OverviewQuery } from '../overview-query.ts';
import { isWithoutBots } from '../state/bots.ts';
import { type Overview, overviewValues, tellsPeople } from '../state/overview.ts';
import { campaignTitles, nameOf, RankedBars, rankByPeople } from './breakdowns.tsx';

const breakdowns = { referrer: 'Sources', country: 'Countries', device: 'Devices' };

/** The links, campaigns, sources, countries and devices that brought the most people, or clicks. */
export function OverviewLists({ query, overview }: { query: OverviewQuery; overview: Overview }) {
  const values = overviewValues.value;
  if (overview.clicks === 0) return null;
  return (
    <>
      <section class="breakdowns" aria-label="Links and campaigns, by clicks by people">
        {!query.code && <Links query={query} overview={overview} />}
        {values && <Campaigns query={query} campaigns={values.campaigns} />}
      </section>
      {values && <Breakdowns query={query} values={values} />}
      {!values && !query.filter && (
        <p class="row-note" role="status">
          Adding up campaigns, sources, countries and devices…
        </p>
      )}
    </>
  );
}

function Links({ query, overview }: { query: OverviewQuery; overview: Overview }) {
  const isTold = tellsPeople(query.filter, overview);
  const values = overview.links
    .map(({ code, clicks, people }) => ({ name: code, count: isTold ? people : clicks }))
    .filter(({ count }) => count > 0);
  return (
    <RankedBars title={isTold ? 'Links, by people' : 'Links, with bots'} values={values}>
      {(code) => (
        <a href={hashOfOverview({ ...query, tag: undefined, search: undefined, code })}>{code}</a>
      )}
    </RankedBars>
  );
}

type Values = NonNullable<Overview['values']>;

/** By people, if all clicks of the range were counted since campaigns tell these apart. */
function Campaigns({ query, campaigns }: { query: OverviewQuery } & Pick<Values, 'campaigns'>) {
  const lists = Object.entries(campaignTitles).flatMap(([name, title]) => {
    const ranked = rankByPeople(campaigns[name as keyof typeof campaigns] ?? []);
    return ranked.values.length > 0 ? [{ name: name as Filter['name'], title, ...ranked }] : [];
  });
  const undivided = Math.max(0, ...lists.map((list) => list.undivided));
  return (
    <>
      {lists.map(({ name, title, undivided, values }) => (
        <RankedBars
          key={title}
          title={`${title}, ${undivided > 0 ? 'with bots' : 'by people'}`}
          values={values}
        >
          {(value) => (
            <FilterLink query={query} filter={{ name, value }}>
              <bdi>{value}</bdi>
            </FilterLink>
          )}
        </RankedBars>
      ))}
      {undivided > 0 && (
        <p class="row-note">
          Campaigns of this range include bots: {countOf(undivided, 'click')} were counted before
          campaigns told people and bots apart.
        </p>
      )}
    </>
  );
}

interface FilterLinkProps {
  query: OverviewQuery;
  filter: Filter;
  children: ComponentChildren;
}

/** Leads to the clicks with a value. */
function FilterLink({ query, filter, children }: FilterLinkProps) {
  return <a href={hashOfOverview({ ...query, filter })}>{children}</a>;
}

function Breakdowns({ query, values }: { query: OverviewQuery; values: Values }) {
  const { unread } = values;
  const undivided = findUndivided(values.breakdowns);
  const hasBots = undivided.bots > 0 && !isWithoutBots.value;
  const lists = (Object.entries(breakdowns) as [keyof typeof breakdowns, string][]).filter(
    ([name]) => hasKnownValues(values.breakdowns, name),
  );
  return (
    <>
      <section class="breakdowns" aria-label="Sources, countries and devices">
        {lists.map(([name, title]) => (
          <RankedBars
            key={name}
            title={`${title}, ${describeVisitors(undivided)}`}
            values={(values.breakdowns[name] ?? []).filter(
              (value) => hasBots || value.name !== botValue,
            )}
          >
            {(value) => (
              <FilterLink query={query} filter={{ name, value }}>
                {nameOf(name, value)}
              </FilterLink>
            )}
          </RankedBars>
        ))}
      </section>
      <p class="row-note">
        Sources, countries and devices are each counted by themselves, not for each visit, so they
        can't be combined. Choose one, a link or a tag to see only its clicks.
        {undivided.bots > 0 &&
          ` They include ${countOf(undivided.bots, 'click')} by bots, which were counted before bots were told apart.`}
      </p>
      {unread.links > 0 && (
        <p class="row-note is-problem">
          Campaigns, sources, countries and devices leave out {countOf(unread.links, 'link')} with{' '}
          {countOf(unread.clicks, 'click')}, those with the fewest. Choose a shorter range or a tag
          to see them.
        </p>
      )}
    </>
  );
}

/** Whose clicks the values other than `bot` have. */
function describeVisitors({ bots, unknown }: Undivided): string {
  if (bots > 0) return 'with bots';
  return unknown > 0 ? 'without bots' : 'by people';
}
