import { batch, signal } from '@preact/signals';
import { takeCounts } from './counts.ts';
import { laterPages, setLink } from './links.ts';
import { api } from './services.ts';
/** The link that was deleted last, until it's restored. */
export const lastDeleted = signal();
/** Deletes a link, here and in the list. Throws `ApiError`. */
export async function deleteLink(code) {
    await api.deleteLink(code);
    batch(() => {
        setLink(code, undefined);
        lastDeleted.value = code;
    });
}
/** Restores a deleted link, here and in the list. Throws `ApiError`. */
export async function restoreLink(code) {
    const link = await api.restoreLink(code);
    batch(() => {
        setLink(code, link);
        takeCounts(code, { ...link, days: [] });
        if (lastDeleted.peek() === code)
            lastDeleted.value = undefined;
    });
}
/** Reads the viewer's deleted links, newest first. Throws `ApiError`. */
export async function readDeleted(from) {
    const query = { limit: laterPages, cursor: from, deleted: 'true' };
    const { links, cursor } = await api.listLinks(query);
    return cursor === undefined ? links : [...links, ...(await readDeleted(cursor))];
}
