/** The instant and the UTC day of every click that {@link makeClick} makes. */
export const at = '2026-05-26T10:00:00Z';
export const day = '2026-05-26';

export const makeClick = (id: string, code: string, changes = {}) =>
  JSON.stringify({ id, detail: { code, at, ...changes } });

/** The bodies of `count` clicks on one link. */
export const makeClicks = (count: number, code: string, changes = {}) =>
  Array.from({ length: count }, (_, index) => makeClick(`${code}-${index}`, code, changes));
