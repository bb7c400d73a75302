/** A tally mark: four strokes, and a fifth across them. */
export function TallyMark() {
  return (
    <svg class="tally-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M7 6v20M13 6v20M19 6v20M25 6v20" />
      <path class="fifth" d="M3 23 29 9" />
    </svg>
  );
}
