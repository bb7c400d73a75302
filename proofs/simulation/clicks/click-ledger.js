import { numberOf, textOf } from '../dynamodb/item-store.ts';
const notSlots = new Set(['PK', 'SK', 'ttl']);
/** Follows the stored markers and sheets commit by commit. It knows only the items' layout. */
export class ClickLedger {
    #resolve;
    #marks = new Map();
    /** `resolve` tells which click a slot marks, because the slot has only a hash. */
    constructor(resolve) {
        this.#resolve = resolve;
    }
    /** Records the changes of one instant. Returns the new marks and the violations. */
    record(changes) {
        const marks = [];
        const problems = [];
        for (const change of changes) {
            const { before = {}, after } = change;
            // Nothing deletes a mark before it expires.
            if (!after)
                continue;
            const [, kind, name = ''] = /^(CLICKS?)#(.*)$/s.exec(textOf(after, 'PK')) ?? [];
            if (kind === 'CLICK') {
                const click = { id: name, code: textOf(after, 'code'), day: textOf(after, 'day') };
                marks.push(this.#mark(click, after));
            }
            else if (kind === 'CLICKS') {
                marks.push(...this.#recordSheet(before, after, problems));
            }
        }
        return { marks, problems };
    }
    /** All marks of this id, in order. */
    marksOf(id) {
        return this.#marks.get(id) ?? [];
    }
    #recordSheet(before, after, problems) {
        const key = textOf(after, 'PK');
        if (numberOf(after, 'ttl') < numberOf(before, 'ttl')) {
            problems.push({ kind: 'short marker', text: 'the ttl of a sheet moved back', about: [key] });
        }
        return Object.entries(after).flatMap(([attribute, value]) => {
            if (notSlots.has(attribute) || before[attribute])
                return [];
            const click = 'B' in value && this.#resolve({ key, attribute, value: value.B });
            if (click)
                return this.#mark(click, after);
            const text = `the slot ${attribute} was set for a click that nobody sent`;
            problems.push({ kind: 'made up', text, about: [key] });
            return [];
        });
    }
    #mark(click, item) {
        const mark = { click, expiryMs: numberOf(item, 'ttl') * 1000 };
        this.#marks.set(click.id, [...this.marksOf(click.id), mark]);
        return mark;
    }
}
