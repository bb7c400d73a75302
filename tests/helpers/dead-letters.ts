import { randomUUID } from 'node:crypto';
import type { Letter } from './operator.ts';

const farFuture = 4_000_000_000;

/** A link's item, as the service stores it. */
export function link(code: string) {
  return { PK: `LINK#${code}`, SK: 'META', url: 'https://example.com/', clicks: 0 };
}

/** The marker of a counted click; `ttl` in epoch seconds. */
export function marker(id: string, code: string, day: string, ttl = farFuture) {
  return { PK: `CLICK#${id}`, SK: 'CLICK', code, day, ttl };
}

/** A click of 2026-05-26. */
export function click(id: string, code: string): string {
  return JSON.stringify({ id, detail: { code, at: '2026-05-26T10:00:00Z' } });
}

/** A message that names no link. */
export function poison(id: string): string {
  return JSON.stringify({ id, detail: { at: '2026-05-25T10:00:00Z' } });
}

/** Clicks of one link. */
export function manyLetters(count: number, code: string): Letter[] {
  return Array.from({ length: count }, () => ({ body: click(randomUUID(), code) }));
}

/** To compare messages whatever order they came in. */
export function sortedBodies(letters: Letter[]): string[] {
  return letters.map(({ body }) => body).toSorted();
}
