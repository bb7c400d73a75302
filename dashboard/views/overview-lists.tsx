import { countOf } from '../format.ts';
import { hashOfOverview, type OverviewQuery } from '../overview-query.ts';
import { type Overview, overviewValues } from '../state/overview.ts';
import { campaignTitles, nameOf, RankedBars } from './breakdowns.tsx';

const breakdowns = { referrer: 'Sources', country: 'Countries', device: 'Devices' };

/** The links, campaigns, sources, countries and devices that brought the most people, or clicks. */
export function OverviewLists({ query, overview }: { query: OverviewQuery; overview: Overview }) {
  const values = overviewValues.value;
  if (overview.clicks === 0) return null;
  return (
    <>
      <section class="breakdowns" aria-label="Links and campaigns, by clicks by people">
        {!query.code && <Links query={query} links={overview.links} />}
        {values && <Campaigns campaigns={values.campaigns} />}
      </section>
      {values ? (
        <Breakdowns values={values} />
      ) : (
        <p class="row-note" role="status">
          Adding up campaigns, sources, countries and devices…
        </p>
      )}
    </>
  );
}

function Links({ query, links }: { query: OverviewQuery; links: Overview['links'] }) {
  const values = links.filter(({ people }) => people > 0);
  return (
    <RankedBars
      title="Links, by people"
      values={values.map(({ code, people }) => ({ name: code, count: people }))}
    >
      {(code) => (
        <a href={hashOfOverview({ ...query, tag: undefined, search: undefined, code })}>{code}</a>
      )}
    </RankedBars>
  );
}

type Values = NonNullable<Overview['values']>;

/** By people, if all clicks of the range were counted since campaigns tell these apart. */
function Campaigns({ campaigns }: Pick<Values, 'campaigns'>) {
  const lists = Object.entries(campaignTitles).flatMap(([name, title]) => {
    const values = campaigns[name as keyof typeof campaigns] ?? [];
    const undivided = values.reduce((sum, value) => sum + value.undivided, 0);
    const counts = values
      .map(({ name, count, people }) => ({ name, count: undivided > 0 ? count : people }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
    return counts.length > 0 ? [{ title, undivided, counts }] : [];
  });
  const undivided = Math.max(0, ...lists.map((list) => list.undivided));
  return (
    <>
      {lists.map(({ title, undivided, counts }) => (
        <RankedBars
          key={title}
          title={`${title}, ${undivided > 0 ? 'with bots' : 'by people'}`}
          values={counts}
        >
          {(value) => <bdi>{value}</bdi>}
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

function Breakdowns({ values }: { values: Values }) {
  const { unread } = values;
  const lists = Object.entries(breakdowns).filter(([name]) =>
    values.breakdowns[name]?.some((value) => value.name !== 'unknown'),
  );
  return (
    <>
      <section class="breakdowns" aria-label="Breakdowns of all clicks">
        {lists.map(([name, title]) => (
          <RankedBars
            key={name}
            title={`${title}, with bots`}
            values={values.breakdowns[name] ?? []}
          >
            {(value) => <span>{nameOf(value)}</span>}
          </RankedBars>
        ))}
      </section>
      <p class="row-note">
        Sources, countries and devices include bots: each is counted by itself, not for each visit,
        so they can't be combined or filtered by each other. Choose a link or a tag to see its own.
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
