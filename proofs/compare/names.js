import { faults } from './plan.ts';
/** The approaches, in the order of the report, with a summary of each. Each is a file in approaches/. */
export const remarks = {
    naive: 'The simplest count. It is right as long as no message is ever redelivered.',
    'claim-message-id': 'Recognises a message that SQS delivers twice within a day.',
    'claim-short-ttl': 'Recovers from a crash because the claim soon expires. The protection expires with it.',
    'claim-event-id': 'Recognises every copy of an event. A crash or throttling after the claim loses the click.',
    'work-then-record': 'Never loses a click. A crash or a second instance between work and record counts it twice.',
    'hand-rolled': 'Survives every crash and redelivery. Contention and throttling lose clicks.',
    'hand-rolled-careful': 'Keyed by the event id, so a click with a second one counts twice. Each contended click needs another delivery.',
    'hand-rolled-click-id': 'As safe as click-tally while its markers live and payloads never change. It costs more writes, and each contended click needs another delivery.',
    fifo: 'Writes one document per click and keeps no total, so reading a count queries all documents of the link. FIFO queues have their own price and throughput.',
    powertools: 'Needs little code and, keyed by the click id, recognises every copy. Work that a crash interrupts runs again.',
    'powertools-transaction': 'Keyed by the click id, with two more writes than the transaction alone. Its records expire after an hour and its markers after 7 days, and it ignores payloads.',
    'click-tally': 'The idempotency record is part of the transaction, and the clicks of a batch share one transaction.',
};
export const approaches = Object.keys(remarks);
/** The faults by their cause, in the order of the report. */
export const faultGroups = {
    copies: ['message-twice', 'event-twice', 'published-twice', 'both-in-one-batch', 'both-at-once'],
    'late copies': [
        'again-after-10-s',
        'event-after-6-min',
        'again-after-25-h',
        'again-after-8-days',
    ],
    crashes: ['crash-before-work', 'crash-mid-work', 'crash-after-work', 'timeout'],
    database: ['answer-lost', 'conflict', 'throttling'],
    payloads: ['malformed', 'changed-click', 'unknown-link'],
};
/** This service. */
export const ownApproach = 'click-tally';
/** Lists all cells. */
export function listCells() {
    return approaches.flatMap((approach) => faults.map((fault) => ({ approach, fault })));
}
