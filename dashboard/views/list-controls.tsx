import { countOf, formatCount, formatFullDay } from '../format.ts';
import { found, type Order, order, orders, query, search, tag } from '../state/arrangement.ts';
import { isComplete, links, linksProblem } from '../state/links.ts';
import { listVisitors, listVisitorsDays } from '../state/list-visitors.ts';
import { hashOfList } from '../state/route.ts';
import { WithoutBots } from './without-bots.tsx';

export function focusSearch(): void {
  document.querySelector<HTMLElement>('.list-controls input')?.focus();
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
export function ListControls() {
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
        onChange={({ currentTarget }) => {
          order.value = currentTarget.value as Order;
        }}
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
