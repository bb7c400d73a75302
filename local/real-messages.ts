export const REPEATED_CLICK_ID = 'fixed-test-id-xyz';
/** The day that {@link repeatedClick} counts for. */
export const REPEATED_CLICK_DAY = '2026-05-26';

/** A click to be sent twice. */
export function repeatedClick(code: string, id = REPEATED_CLICK_ID): string {
  return JSON.stringify({ id, detail: { code, at: `${REPEATED_CLICK_DAY}T10:00:00Z` } });
}

/** A message that can never be counted: it names no link. */
export function poisonMessage(id = 'bad-event-1'): string {
  return JSON.stringify({ id, detail: { at: '2026-05-25T10:00:00Z' } });
}
