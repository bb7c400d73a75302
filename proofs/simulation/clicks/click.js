import { attributesOf, campaignsOf, dayOf } from './breakdowns.ts';
/** The ids concerned, its own first. Empty for poison. */
export function idsOf({ click, parts = [] }) {
    return click ? [click.id, click.code] : parts.flatMap(idsOf);
}
export function makeClick(id, code, detail) {
    const raises = attributesOf(detail);
    const campaigns = campaignsOf(detail);
    return { id, code, day: dayOf(detail.at), detail, raises, campaigns };
}
/** The click in a detail of the service's resolver. */
export function clickOfDetail(text) {
    const { clickId, code, ...detail } = JSON.parse(text);
    return makeClick(String(clickId), String(code), detail);
}
/** The click in an event of the bus. */
export function clickOfEvent(body) {
    return clickOfDetail(JSON.stringify(JSON.parse(body).detail));
}
/** The clicks in a request of the resolver. */
export function clicksOfRequest(operation, input) {
    const { MessageBody = '', Entries = [] } = input;
    if (operation === 'SendMessage')
        return [clickOfEvent(MessageBody)];
    return Entries.map(({ Detail }) => clickOfDetail(Detail));
}
/** The sheet and the attribute of a click id's mark. Undefined for ids without a slot. */
export function slotOf(id) {
    const [, sheet, number] = /^([\w-]{22})\.(\d+)\.[\w-]{22}$/.exec(id) ?? [];
    if (sheet === undefined)
        return undefined;
    const slot = Number(number);
    return `CLICKS#${sheet} ${'abcdefghijklm'[Math.floor(slot / 10)]}${slot % 10}`;
}
