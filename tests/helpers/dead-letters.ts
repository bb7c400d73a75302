import { randomUUID } from 'node:crypto';
import { poisonMessage, repeatedClick } from '../../local/real-messages.ts';
import type { Letter } from './operator.ts';

const farFuture = 4_000_000_000;

/** A link's item as the service stores it. */
export function link(code: string) {
  return { PK: `LINK#${code}`, SK: 'META', url: 'https://example.com/', clicks: 0 };
}

/** The marker of a counted click; `ttl` in epoch seconds. */
export function marker(id: string, code: string, day: string, ttl = farFuture) {
  return { PK: `CLICK#${id}`, SK: 'CLICK', code, day, ttl };
}

/** A click on 2026-05-26. */
export function click(id: string, code: string): string {
  return repeatedClick(code, id);
}

export const poison = poisonMessage;

/** Dead letters with clicks of one link. */
export function manyLetters(count: number, code: string): Letter[] {
  return Array.from({ length: count }, () => ({ body: click(randomUUID(), code) }));
}

/** Returns the sorted bodies, to compare messages in any order. */
export function sortedBodies(letters: Letter[]): string[] {
  return letters.map(({ body }) => body).toSorted();
}
