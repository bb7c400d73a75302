/** The day on which {@link repeatedClick} counts. */
export const repeatedClickDay = '2026-05-26';

/** A click to send twice. */
export function repeatedClick(code: string, id: string): string {
  return JSON.stringify({ id, detail: { code, at: `${repeatedClickDay}T10:00:00Z` } });
}

/** An invalid click, because it doesn't name a link. */
export function invalidMessage(id = 'demo-names-no-link'): string {
  return JSON.stringify({ id, detail: { at: '2026-05-25T10:00:00Z' } });
}
