import { isDeepStrictEqual } from 'node:util';
import { textFields } from '../../../lib/links/rules/link-fields.ts';
const unset = Object.fromEntries(textFields.map((name) => [name, null]));
/** Fields that lead visitors elsewhere. */
const leading = ['url', 'forwardQuery'];
const cacheMs = 60000;
/** What the service must answer, and what its links must be like, after any operations of anybody. */
export class LinkModel {
    links = new Map();
    /** The rows that were imported. */
    #rows = new Set();
    /**
     * Purged links. A code is free, kept by an operator, or, until the next purge, released by one.
     */
    #purged = new Map();
    /** Creates a link, and returns the status. */
    create(code, owner, texts, nowMs) {
        if (this.#isTaken(code) || this.#isTaken(code.toLowerCase()))
            return 409;
        const since = this.#purged.has(code) ? { since: nowMs } : {};
        this.links.set(code, { owner, texts: { ...unset, ...texts }, ...since, days: new Map() });
        this.#purged.delete(code);
        return 201;
    }
    /** Imports a row, which always has the same key for its owner and its code. */
    import(code, owner, texts, nowMs) {
        const row = `${owner} ${code}`;
        if (this.#rows.has(row))
            return this.findOwn(code, owner) ? 'existing' : 'refused';
        if (this.create(code, owner, texts, nowMs) !== 201)
            return 'refused';
        this.#rows.add(row);
        return 'created';
    }
    change(code, owner, { disabled, expected, ...texts }) {
        const link = this.findOwn(code, owner);
        if (!link)
            return 404;
        const isLed = leading.some((name) => texts[name] !== undefined);
        if (link.disabledBy === 'operator' && (isLed || disabled === false))
            return 403;
        const has = (some) => isDeepStrictEqual({ ...link.texts, ...some }, link.texts);
        const isDisabled = link.disabledBy !== undefined;
        const isDone = has(texts) && (disabled ?? isDisabled) === isDisabled;
        if (!has(expected))
            return isDone ? 200 : 409;
        Object.assign(link.texts, texts);
        if (disabled === false)
            link.disabledBy = undefined;
        if (disabled)
            link.disabledBy ??= 'owner';
        return 200;
    }
    delete(code, owner, nowMs) {
        const link = this.links.get(code);
        if (link?.owner !== owner)
            return 404;
        link.deletedMs ??= nowMs;
        return 200;
    }
    restore(code, owner) {
        const link = this.links.get(code);
        if (link?.owner !== owner)
            return 404;
        link.deletedMs = undefined;
        return 200;
    }
    /** Purges every link that was deleted before this time, and frees the codes that were released. */
    purge(untilMs) {
        for (const [code, state] of this.#purged) {
            if (state === 'released')
                this.#purged.set(code, 'free');
        }
        for (const [code, { deletedMs = untilMs, disabledBy }] of this.links) {
            if (deletedMs >= untilMs)
                continue;
            this.links.delete(code);
            this.#purged.set(code, disabledBy === 'operator' ? 'kept' : 'free');
        }
    }
    /** An operator disables or enables whatever has the code. Returns whether there is something. */
    operate(code, disabled) {
        const link = this.links.get(code);
        const purged = this.#purged.get(code);
        if (link)
            link.disabledBy = disabled ? 'operator' : undefined;
        else if (disabled && purged)
            this.#purged.set(code, 'kept');
        else if (purged === 'kept')
            this.#purged.set(code, 'released');
        else
            return false;
        return true;
    }
    /** Whether a click of this time counts. */
    click(code, atMs, day) {
        const link = this.links.get(code);
        if (!link || atMs < (link.since ?? 0))
            return false;
        if (link.deletedMs !== undefined && atMs > link.deletedMs + cacheMs)
            return false;
        link.days.set(day, (link.days.get(day) ?? 0) + 1);
        return true;
    }
    /** Where a visit with this query gets to: an address, or the status of an error. */
    visit(code, query) {
        const link = this.links.get(code);
        if (link?.deletedMs !== undefined)
            return 404;
        if (link?.disabledBy || this.isKept(code))
            return 410;
        const address = this.lead(code, query);
        if (address !== undefined)
            return address;
        const lower = code.toLowerCase();
        return lower === code ? 404 : this.visit(lower, query);
    }
    /** Where a link leads, even if it's disabled or deleted. */
    lead(code, query) {
        const texts = this.links.get(code)?.texts;
        return texts && `${texts.url}${texts.forwardQuery ? `?${query}` : ''}`;
    }
    /** Whether an operator has taken down what has the code, or had it. */
    isDown(code) {
        return this.links.get(code)?.disabledBy === 'operator' || this.isKept(code);
    }
    isKept(code) {
        return this.#purged.get(code) === 'kept';
    }
    /** A link that its owner can see. */
    findOwn(code, owner) {
        const link = this.links.get(code);
        return link?.owner === owner && link.deletedMs === undefined ? link : undefined;
    }
    #isTaken(code) {
        return this.links.has(code) || ['kept', 'released'].includes(this.#purged.get(code) ?? '');
    }
}
