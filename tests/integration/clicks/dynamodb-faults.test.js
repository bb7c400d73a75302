import { expect, onTestFinished, test, vi } from 'vitest';
import { failed, patientMs, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClicks } from '../../helpers/clicks.ts';
import { cancellation, conflictAt, connectionLost, serviceError, times, } from '../../helpers/faults.ts';
const run = useAggregator();
const throttling = { Code: 'ThrottlingError' };
test.each([
    ['a conflict on the hot link', { before: (input) => conflictAt('LINK#', input) }],
    ['throttling at every position', { before: (input) => cancellation(input, throttling) }],
    ['a failing server', { before: () => serviceError('InternalServerError', 500) }],
    ['an answer that is lost after the commit', { after: connectionLost }],
    ['an answer that is cut off after the commit', { after: () => new SyntaxError('cut off') }],
])('every click counts exactly once despite %s', async (_, { before, after }) => {
    const code = await run.createLink();
    const fails = times(4);
    const fault = {
        before: (input) => (before && fails() ? before(input) : undefined),
        after: (input) => (after && fails() ? after(input) : undefined),
    };
    const response = await run.deliver(makeClicks(5, code), fault, patientMs);
    expect(response).toEqual(failed());
    expect(await run.readLink(code)).toEqual({ clicks: 5, days: { [day]: 5 } });
});
test("a lasting conflict, during which only that link's clicks fail", async () => {
    const count = 200;
    const hot = await run.createLink();
    const cool = await run.createLink();
    const bodies = [...makeClicks(count, hot), ...makeClicks(20, cool)];
    let waiting = 20;
    const fault = {
        before: (input) => conflictAt(`LINK#${hot}`, input),
        after: ({ TransactItems = [] }) => {
            waiting -= TransactItems.filter(({ Put }) => Put?.Item?.code?.S === cool).length;
            // On a machine of any speed, the deadline passes once all others are counted.
            if (waiting === 0)
                vi.setSystemTime(Date.now() + patientMs);
            return undefined;
        },
    };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const response = await run.deliver(bodies, fault, patientMs);
    vi.useRealTimers();
    const failures = run.failures().map(({ code, reason }) => `${code} ${reason}`);
    await run.deliver(bodies, {}, patientMs);
    expect(response?.batchItemFailures).toHaveLength(count);
    expect(new Set(failures)).toEqual(new Set([`${hot} out-of-time`]));
    expect(await run.readLink(hot)).toEqual({ clicks: count, days: { [day]: count } });
    expect(await run.readLink(cool)).toEqual({ clicks: 20, days: { [day]: 20 } });
});
