import { expect, test } from 'vitest';
import { useApi } from '../../helpers/api.ts';
import { serviceError, times } from '../../helpers/faults.ts';
import { brokenDownDay, campaignItems, dayOf, link, manyDays } from '../../helpers/items.ts';
const { table, faults, requests, output, send } = useApi(['GetLinkStats']);
/** Reads a link's statistics. Returns the answer with the metrics and log lines. */
async function readStats(code, query = '') {
    const { statusCode, body } = await send('ada', `GET /links/${code}/stats${query}`);
    const printed = { metrics: output.metrics(), logged: output.logged() };
    return { statusCode, clicks: body.clicks, days: body.days.length, ...printed };
}
const metrics = [
    expect.objectContaining({ CounterDrift: 1, service: 'click-tally', stage: 'test' }),
];
const silence = { metrics: [], logged: [] };
test.each([
    ['total', 7, 6, [{}, dayOf('code', '2026-05-25', 4), dayOf('code', '2026-05-26', 2)]],
    ['people', 1, 2, [{ vh: 1 }, brokenDownDay('code', '2026-05-26', 7, { vh: 2, vb: 5 })]],
    ['bots', 4, 5, [{ vh: 2, vb: 4 }, brokenDownDay('code', '2026-05-26', 7, { vh: 2, vb: 5 })]],
    ['total of more days than one transaction can read', 131, 130, [{}, ...manyDays('code', 130, 1)]],
])('a changed %s raises the alarm, and is returned unchanged', async (...row) => {
    const [name, total, sum, [visitors, ...days]] = row;
    const code = `drift-${total}`;
    const of = name === 'people' || name === 'bots' ? name : 'clicks';
    const clicks = Math.max(total, 7);
    await table.put({ ...link(code, clicks), ...visitors });
    await table.put(...days.map((day) => ({ ...day, PK: `LINK#${code}` })));
    expect(await readStats(code)).toMatchObject({
        statusCode: 200,
        clicks,
        days: days.length,
        metrics,
        logged: [
            {
                level: 'ERROR',
                message: "A link's total doesn't equal the sum of its days.",
                code,
                of,
                total,
                sum,
            },
        ],
    });
});
test('a total is not compared with a range of days', async () => {
    await table.put(link('range', 2), dayOf('range', '2026-05-25', 1), dayOf('range', '2026-05-26', 1));
    expect(await readStats('range', '?from=2026-05-26')).toMatchObject({ days: 1, ...silence });
});
test('a breakdown that was changed by hand raises the alarm', async () => {
    await table.put({ ...link('uneven', 6), vh: 4 }, brokenDownDay('uneven', '2026-05-24', 2, { ro: 'not a number' }), brokenDownDay('uneven', '2026-05-25', 3, { dm: 1, vh: 1 }), brokenDownDay('uneven', '2026-05-26', 1, { dd: 0 }));
    const message = "A day's breakdowns don't sum to its count.";
    const uneven = { code: 'uneven', unevenDays: 2, day: '2026-05-25', count: 3 };
    expect(await readStats('uneven')).toMatchObject({
        statusCode: 200,
        clicks: 6,
        days: 3,
        metrics,
        logged: [{ level: 'ERROR', message, ...uneven, breakdowns: expect.any(Array) }],
    });
});
test.each([
    ['one parameter', { utm_source: { a: 2 }, utm_medium: { other: 1 } }, ['utm_medium']],
    ['a value', { utm_source: { a: 1, b: 1 }, utm_medium: { other: 2 } }, ['utm_source']],
])('%s of a campaign that was changed by hand raises the alarm', async (of, counts, parameters) => {
    const code = `campaign-${parameters}`;
    const [counters = {}, source = {}, ...values] = campaignItems(code, '2026-05-26', counts);
    const { v1: _, ...withoutOne } = source;
    await table.put({ ...link(code, 3), vh: 3 }, brokenDownDay(code, '2026-05-25', 1, { utm: 1 }), { PK: `LINK#${code}`, SK: 'UTM#2026-05-25', so: 1, mn: 1, cn: 1 }, brokenDownDay(code, '2026-05-26', 2, { utm: 2 }), ...[{ ...counters, cn: 2 }, of === 'a value' ? withoutOne : source, ...values]);
    const message = "A day's campaigns don't match its clicks with one.";
    const campaigns = parameters.map((parameter) => expect.objectContaining({ parameter }));
    expect(await readStats(code)).toMatchObject({
        statusCode: 200,
        clicks: 3,
        metrics,
        logged: [{ level: 'ERROR', message, code, day: '2026-05-26', campaigns }],
    });
});
test('a click with a campaign between the reads is not drift', async () => {
    const code = 'campaign-amid';
    const day = brokenDownDay(code, '2026-05-26', 1, { utm: 1 });
    const [counters = {}, source = {}] = campaignItems(code, '2026-05-26', { utm_source: { a: 1 } });
    const campaign = { ...counters, mn: 1, cn: 1 };
    await table.put({ ...link(code, 1), vh: 1 }, day, source);
    const isFirst = times(1);
    // As if a click had been counted between the reads of the day and of its campaigns.
    faults.set('TransactGetItems', {
        before: async () => void (isFirst() && (await table.put(campaign))),
    });
    expect(await readStats(code)).toMatchObject({ clicks: 1, days: 1, ...silence });
    expect(requests).toContain('TransactGetItems');
});
test.each([
    ['between the reads', 0, undefined],
    ['during the second read on a new day', 3, '2026-05-27'],
    ['during it on a day that does not fit into the transaction', 130, '1970-01-01'],
])('a commit %s is not drift', async (_, days, day) => {
    const code = `amid-${days}-${day}`;
    await table.put(link(code, days), ...manyDays(code, days, 1));
    const countOnce = (on) => {
        const isFirst = times(1);
        return { before: async () => void (isFirst() && (await table.countClick(code, on))) };
    };
    faults.set('Query', countOnce('2026-05-26'));
    if (day)
        faults.set('TransactGetItems', countOnce(day));
    expect(await readStats(code)).toMatchObject({ clicks: days, days: days + 1, ...silence });
    expect(requests).toContain('TransactGetItems');
});
test.each([
    ['is not drift if a commit is in flight', 'TransactionCanceledException', []],
    [
        'leaves the answer unchanged, and a warning, if it fails',
        'AccessDeniedException',
        [{ level: 'WARN', message: 'A possible drift could not be confirmed.', code: 'unread' }],
    ],
])('a second read %s', async (_, error, logged) => {
    await table.put(link('unread', 7));
    faults.set('TransactGetItems', { before: () => serviceError(error, 400) });
    const answer = { statusCode: 200, clicks: 7, days: 0, metrics: [] };
    expect(await readStats('unread')).toMatchObject({ ...answer, logged });
});
