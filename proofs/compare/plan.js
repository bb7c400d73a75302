import { chunk } from '../../lib/chunk.ts';
import { makeEventBody } from '../tools/click-body.ts';
import { createRandom } from '../tools/random.ts';
export const hotCode = 'hot-link';
export const clickDay = '2026-01-15';
const otherCodes = Array.from({ length: 9 }, (_, index) => `link-${index + 1}`);
const unusedCode = 'unused-link';
const copiedShare = 0.1;
const faultyShare = 0.2;
const hourSeconds = 60 * 60;
const redeliver = (afterSeconds) => ({ copies }) => {
    const clickIds = new Set(copies.map(({ clickId }) => clickId));
    return { redelivery: { clickIds, afterSeconds } };
};
const resend = (afterSeconds) => ({ copies, batchSize }) => ({ resent: { batches: toBatches(copies, batchSize), afterSeconds } });
const insert = (share, make) => (draft) => ({ batches: insertEach(draft.clicks, draft, share, make) });
const inject = (makeFault) => (draft) => {
    const faulty = chooseFaulty(draft.batches.length, faultyShare, draft.random);
    const batches = draft.batches.map((batch, index) => faulty.has(index) ? { ...batch, fault: makeFault(draft) } : batch);
    return { batches };
};
const crash = (point) => inject(({ random, batchSize }) => {
    return { kind: 'crash', point, click: random.integer(1, batchSize) };
});
const add = ({ batches, batchSize }, more) => {
    return { batches: [...batches, ...toBatches(more, batchSize)] };
};
const publishAgain = (click) => ({ ...click, eventId: `${click.eventId}-again` });
/** Plans each fault, in the order of the report. docs/compare.md says what happens in each. */
const faultPlans = {
    none: () => ({}),
    'message-twice': redeliver(0),
    'event-twice': (draft) => add(draft, draft.copies),
    'published-twice': (draft) => add(draft, draft.copies.map(publishAgain)),
    'both-in-one-batch': insert(1, (earlier) => earlier.at(-1)),
    'both-at-once': inject(() => ({ kind: 'take-turns' })),
    'again-after-10-s': redeliver(10),
    'again-after-25-h': redeliver(25 * hourSeconds),
    'again-after-8-days': resend(8 * 24 * hourSeconds),
    'event-after-6-min': resend(6 * 60),
    'crash-before-work': crash('before-work'),
    'crash-mid-work': crash('mid-work'),
    'crash-after-work': crash('after-work'),
    'answer-lost': inject(({ random }) => {
        return { kind: 'lose-answers', seed: random.integer(0, 1000000) };
    }),
    conflict: inject(({ random }) => ({ kind: 'conflict', requests: random.integer(3, 6) })),
    throttling: inject(({ random }) => {
        return { kind: 'throttle', skip: random.integer(0, 1), requests: random.integer(5, 8) };
    }),
    malformed: insert(faultyShare, makeMalformed),
    'changed-click': (draft) => {
        const { copies, codes, batches } = draft;
        const changed = add(draft, copies.map((click) => ({ ...publishAgain(click), code: unusedCode })));
        for (const { messages } of changed.batches.slice(batches.length)) {
            for (const message of messages)
                message.isChanged = true;
        }
        return { codes: [...codes, unusedCode], ...changed };
    },
    'unknown-link': insert(faultyShare, makeUnknownLink),
    timeout: inject(({ batchSize }) => ({ kind: 'hang', click: Math.ceil(batchSize / 2) })),
};
export const faults = Object.keys(faultPlans);
/** Plans a cell: `clickCount` clicks, a third of them on one link, in batches of `batchSize`. */
export function planCell(fault, { clickCount, batchSize, seed }) {
    const random = createRandom(seed, fault);
    const clicks = planClicks(clickCount, random);
    const plan = { codes: [hotCode, ...otherCodes], clicks, batches: toBatches(clicks, batchSize) };
    const copied = random.choose(Math.max(3, Math.round(clicks.length * copiedShare)), clicks.length);
    const copies = copied.flatMap((index) => clicks[index] ?? []);
    return { ...plan, ...faultPlans[fault]({ ...plan, copies, batchSize, random }) };
}
function planClicks(count, random) {
    return Array.from({ length: count }, (_, index) => ({
        clickId: `click-${index}`,
        eventId: `event-${index}`,
        code: index % 3 === 0 ? hotCode : (otherCodes[random.integer(0, 8)] ?? hotCode),
    }));
}
function toBatches(clicks, size) {
    return chunk(clicks, size).map((some) => ({ messages: some.map(toMessage) }));
}
function toMessage(click) {
    return { body: makeBody(click), click };
}
function makeBody({ clickId, eventId, code }) {
    const at = `${clickDay}T10:00:00Z`;
    return makeEventBody(eventId, at, { clickId, code, at });
}
/** Inserts an additional message into a share of the batches, within their size. */
function insertEach(clicks, { batchSize, random }, share, make) {
    const faulty = chooseFaulty(Math.ceil(clicks.length / batchSize), share, random);
    const batches = [];
    for (let start = 0; start < clicks.length;) {
        const isFaulty = faulty.has(batches.length);
        const room = isFaulty ? batchSize - 1 : batchSize;
        const messages = clicks.slice(start, start + room).map(toMessage);
        start += room;
        if (isFaulty) {
            const position = random.integer(1, messages.length);
            const inserted = make(messages.slice(0, position), batches.length);
            if (inserted)
                messages.splice(position, 0, inserted);
        }
        batches.push({ messages });
    }
    return batches;
}
function makeMalformed(_earlier, batch) {
    const click = { clickId: `bad-${batch}`, eventId: `bad-event-${batch}`, code: hotCode };
    const body = makeBody(click);
    return { body: batch % 2 ? body.slice(0, -2) : body.replace(`"code":"${hotCode}",`, '') };
}
function makeUnknownLink(_earlier, batch) {
    const code = `gone-${batch}`;
    return toMessage({ clickId: `lost-${batch}`, eventId: `lost-event-${batch}`, code });
}
function chooseFaulty(count, share, random) {
    return new Set(random.choose(Math.max(1, Math.round(count * share)), count));
}
