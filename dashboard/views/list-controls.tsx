import { countOf, formatCount } from '../format.ts';
import { found, type Order, order, orders, query, search, tag } from '../state/arrangement.ts';
import { isComplete, links, linksProblem } from '../state/links.ts';
import { hashOfList } from '../state/route.ts';

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
        placeholder="Code, destination, tag or other text"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        value={query.value}
        onInput={(event) => {
          search(event.currentTarget.value);
        }}
      />
      <select
        aria-label="Sort by"
        value={order.value}
        onChange={(event) => {
          order.value = event.currentTarget.value as Order;
        }}
      >
        {Object.entries(orders).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <p class="list-scope" role="status">
        {tag.value !== undefined && (
          <>
            <bdi class="tag">{tag.value}</bdi> <a href={hashOfList()}>Show all links</a>{' '}
          </>
        )}
        {(query.value.trim() !== '' || tag.value !== undefined) &&
          `${formatCount(found.value.length)} of ${loaded} found. `}
        {!isComplete.value && `Search and sorting cover the newest ${loaded}. ${others}`}
      </p>
    </search>
  );
}
