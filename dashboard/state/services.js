import { signal } from '@preact/signals';
import { readConfig } from '../config.ts';
import { createApi } from './api.ts';
import { createLive } from './live.ts';
import { createSession } from './session.ts';
export const config = readConfig();
export const session = createSession(config);
export const live = createLive({
    url: config.liveUrl,
    token: () => session.token(),
    isExpired: () => {
        const { value } = session.session;
        return value.status === 'signed-in' && value.isExpired;
    },
});
export const api = createApi(session.token, session.expire);
/** The text for screen readers to announce next. */
export const announcement = signal('');
const quietMs = 10000;
let announcedAt = 0;
let pending;
/** Announces the newest text to screen readers, at most every ten seconds. */
export function announce(text) {
    clearTimeout(pending);
    const say = () => {
        announcedAt = Date.now();
        announcement.value = text;
    };
    pending = setTimeout(say, Math.max(500, announcedAt + quietMs - Date.now()));
}
/** Drops what was announced, or is about to be. Call it when the view changes. */
export function forgetAnnouncements() {
    clearTimeout(pending);
    announcement.value = '';
}
