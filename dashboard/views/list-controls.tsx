import { countOf, formatCount } from '../format.ts';
import { found, type Order, order, orders, query } from '../state/arrangement.ts';
import { isComplete, links, linksProblem } from '../state/links.ts';

/** Searches and sorts the links, and says which ones, while some aren't loaded. */
export function ListControls() {
  const loaded = links.value?.length ?? 0;
  return (
    <search class="list-controls">
      <div class="field">
        <input
          type="search"
          aria-label="Search codes and destinations"
          placeholder="Search"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
          }}
        />
      </div>
      <div class="field">
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
      </div>
      <p class="list-scope" role="status">
        {query.value.trim() !== '' &&
          `${formatCount(found.value.length)} of ${countOf(loaded, 'link')} found. `}
        {!isComplete.value && describeMissing(loaded)}
      </p>
    </search>
  );
}

function describeMissing(loaded: number): string {
  const newest = `Search and sorting cover the newest ${countOf(loaded, 'link')}.`;
  return linksProblem.value
    ? `${newest} The older ones couldn't be loaded.`
    : `${newest} Loading the older ones…`;
}
