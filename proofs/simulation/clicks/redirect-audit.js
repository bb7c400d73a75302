/** The maximum wait for a link that the instance knows, and what the network may add to it. */
const maxWaitMs = 1000;
const transitMs = 100;
const cacheMs = 30000;
/** Checks that links which an instance knows keep redirecting, in time and not for too long. */
export class RedirectAudit {
    #report;
    #staleMs;
    #now;
    /** When an instance first redirected a code. It read it then, or later. */
    #knownSince = new Map();
    constructor(report, { staleLinkSeconds }, now) {
        this.#report = report;
        this.#staleMs = staleLinkSeconds * 1000;
        this.#now = now;
    }
    onAnswer(answer, { deletedAtMs, isSteady, isTimed }) {
        const { visit, instance, code, fromMs, statusCode } = answer;
        const key = `${instance} ${code}`;
        const knownSinceMs = this.#knownSince.get(key);
        const isKnown = knownSinceMs !== undefined && this.#now() < knownSinceMs + this.#staleMs;
        if (isKnown && isSteady && statusCode !== 302) {
            this.#report('dead link', 'a known link did not redirect', [visit, key]);
        }
        if (isKnown && isTimed && this.#now() - fromMs > maxWaitMs + transitMs) {
            this.#report('slow visit', 'a visitor of a known link waited for too long', [visit, key]);
        }
        if (statusCode !== 302)
            return;
        if (deletedAtMs !== undefined && fromMs > deletedAtMs + cacheMs + this.#staleMs) {
            this.#report('undead link', 'a link redirected long after its deletion', [visit, key]);
        }
        if (knownSinceMs === undefined)
            this.#knownSince.set(key, fromMs);
    }
}
