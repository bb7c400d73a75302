const at = '2026-05-26T10:00:00Z';
/** The visits of the clicks, in turn. */
const visits = [
    { visitor: 'human', device: 'mobile', referrer: 'instagram' },
    { visitor: 'human', device: 'desktop', referrer: 'google' },
    { visitor: 'human', device: 'mobile', referrer: 'direct' },
    { visitor: 'bot', device: 'other', referrer: 'direct' },
];
/**
 * Makes the nth click of a measurement, in the bus's form. The event id is random by default.
 */
export function makeClickBody(n, code, clickId, eventId = crypto.randomUUID()) {
    return makeEventBody(eventId, at, { clickId, code, at, ...visits[n % visits.length] });
}
/** An event of the bus, as it reaches the queue. */
export function makeEventBody(id, time, detail) {
    return JSON.stringify({
        version: '0',
        id,
        'detail-type': 'link.clicked',
        source: 'click-tally',
        account: '000000000000',
        time,
        region: 'us-east-1',
        resources: [],
        detail,
    });
}
