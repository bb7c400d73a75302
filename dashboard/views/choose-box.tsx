import { choose, chosenCodes, isChoosing } from '../state/chosen-links.ts';

/** A box that chooses a link for an action on many. */
export function ChooseBox({ code }: { code: string }) {
  if (!isChoosing.value) return null;
  return (
    <input
      type="checkbox"
      class="choose"
      aria-label={`Choose ${code}`}
      checked={chosenCodes.value.has(code)}
      onChange={({ currentTarget }) => choose(code, currentTarget.checked)}
    />
  );
}
