/** The instant and the UTC day of every click that {@link makeClick} makes. */
export const at = '2026-05-26T10:00:00Z';
export const day = '2026-05-26';
export const makeClick = (id, code, changes = {}) => JSON.stringify({ id, detail: { code, at, ...changes } });
/** The bodies of `count` clicks on one link. */
export const makeClicks = (count, code, changes = {}) => Array.from({ length: count }, (_, index) => makeClick(`${code}-${index}`, code, changes));
/** The body of an event whose `detail.clicks` are these, as the bus delivers it. */
export const makeEnvelope = (clicks, changes = {}) => JSON.stringify({
    version: '0',
    id: 'event-1',
    'detail-type': 'link.clicked',
    source: 'click-tally',
    account: '123456789012',
    time: '2026-05-26T10:00:01Z',
    region: 'eu-west-1',
    resources: [],
    detail: { clicks, ...changes },
});
/** Clicks for an envelope, all on one link. */
export const makeNested = (count, code, changes = {}) => Array.from({ length: count }, (_, index) => ({
    clickId: `${code}-${index}`,
    code,
    at,
    ...changes,
}));
