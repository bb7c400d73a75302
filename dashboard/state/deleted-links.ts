import { batch, signal } from '@preact/signals';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { takeCounts } from './counts.ts';
import { laterPages, setLink } from './links.ts';
import { api } from './services.ts';

/** The link that was deleted last, until it's restored. */
export const lastDeleted = signal<string>();

/** Deletes a link, here and in the list. Throws `ApiError`. */
export async function deleteLink(code: string): Promise<void> {
  await api.deleteLink(code);
  batch(() => {
    setLink(code, undefined);
    lastDeleted.value = code;
  });
}

/** Restores a deleted link, here and in the list. Throws `ApiError`. */
export async function restoreLink(code: string): Promise<undefined> {
  const link = await api.restoreLink(code);
  batch(() => {
    setLink(code, link);
    takeCounts(code, { ...link, days: [] });
    if (lastDeleted.peek() === code) lastDeleted.value = undefined;
  });
}

/** Reads the viewer's deleted links, newest first. Throws `ApiError`. */
export async function readDeleted(from?: string): Promise<LinkAnswer[]> {
  const query = { limit: laterPages, cursor: from, deleted: 'true' as const };
  const { links, cursor } = await api.listLinks(query);
  return cursor === undefined ? links : [...links, ...(await readDeleted(cursor))];
}
