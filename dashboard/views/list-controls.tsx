import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { type Order, orders } from '../state/arrangement.ts';

interface Props {
  text: Signal<string>;
  order: Signal<Order>;
  /** The links that are loaded, and those of them that match the text. */
  loaded: number;
  found: number;
  /** The number of links that aren't loaded; undefined until it's known. */
  others?: number;
}

/** Searches and sorts the links that are loaded, and says which ones those are. */
export function ListControls({ text, order, loaded, found, others }: Props) {
  const id = useId();
  return (
    <search class="list-controls">
      <div class="field">
        <label for={`${id}-text`}>
          Search the {formatCount(loaded)} links shown{' '}
          <span class="muted">(code and destination)</span>
        </label>
        <input
          id={`${id}-text`}
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <label for={`${id}-order`}>Sort by</label>
        <select
          id={`${id}-order`}
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
        {text.value.trim() !== '' && describeMatches(found, loaded)}{' '}
        {others !== 0 && describeOthers(others)}
      </p>
    </search>
  );
}

function describeMatches(found: number, loaded: number): string {
  if (found === 0) return `No matches in the ${formatCount(loaded)} links shown.`;
  const verb = found === 1 ? 'matches' : 'match';
  return `${formatCount(found)} of the ${formatCount(loaded)} links shown ${verb}.`;
}

function describeOthers(others?: number): string {
  const ones = others === undefined ? 'older ones' : `${formatCount(others)} older ones`;
  const names = others === 1 ? 'older one' : ones;
  return `Search and sorting cover the links shown, not the ${names}.`;
}
