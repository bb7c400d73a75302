import { isWithoutBots } from '../state/bots.ts';

/** Leaves bots out of all views, also the next time. */
export function WithoutBots() {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isWithoutBots.value}
        onChange={({ currentTarget }) => {
          isWithoutBots.value = currentTarget.checked;
        }}
      />{' '}
      Without bots
    </label>
  );
}

/** What a title adds if its numbers have bots, although the viewer wants none: these clicks aren't counted apart. */
export function withBots(hasBots = true): string {
  return hasBots && isWithoutBots.value ? ', with bots' : '';
}
