import { afterEach, expect, test, vi } from 'vitest';
import { useApi } from '../../helpers/api.ts';
import { useClock } from '../../helpers/clock.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
const { output, send } = useApi(['GetBacklog']);
const { passSeconds } = useClock('2026-11-22T07:00:00Z');
const some = {
    ClickQueue: ['4', '2'],
    ClickDLQ: ['4', '1'],
    ClickRuleDLQ: ['7', '0'],
    'ClickQueue-2': ['10', '50'],
    'ClickQueue-3': ['100', '0'],
};
const seen = { waiting: 6, deadLetters: 12, readAt: '2026-11-22T07:00:00.000Z' };
afterEach(() => void vi.restoreAllMocks());
/** Starts an environment of the function, whose queues have these numbers of messages. */
async function startReader(queues = 1) {
    const sqs = { depths: some };
    const { url, bodies } = await startScriptedService((response) => {
        const { QueueUrl } = bodies.at(-1);
        const [visible, inFlight] = sqs.depths[QueueUrl.split('/').at(-1) ?? ''] ?? [];
        const Attributes = {
            ApproximateNumberOfMessages: visible,
            ApproximateNumberOfMessagesNotVisible: inFlight,
        };
        answerJson(200, { Attributes })(response);
    });
    const urlOf = (name) => `${url}/000000000000/${name}`;
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', url);
    vi.stubEnv('CLICK_QUEUES', `${queues}`);
    vi.stubEnv('CLICK_QUEUE_URL', urlOf('ClickQueue'));
    vi.stubEnv('CLICK_DLQ_URL', urlOf('ClickDLQ'));
    vi.stubEnv('CLICK_RULE_DLQ_URL', urlOf('ClickRuleDLQ'));
    vi.resetModules();
    const read = async () => (await send('ada', 'GET /live/backlog')).body;
    return { read, sqs, requests: bodies };
}
test('the backlog includes every click queue', async () => {
    const { read } = await startReader(3);
    expect(await read()).toEqual({ ...seen, waiting: 166 });
});
test('it is read once in three seconds', async () => {
    const { read, sqs, requests } = await startReader();
    await Promise.all([read(), read()]);
    passSeconds(2.999);
    expect(await read()).toEqual(seen);
    expect(requests).toHaveLength(3);
    passSeconds(3);
    sqs.depths = { ...some, ClickQueue: ['0', '0'] };
    expect(await read()).toEqual({ ...seen, waiting: 0, readAt: '2026-11-22T07:00:03.000Z' });
});
test.each([undefined, '12 or so', '-1'])('while a queue reports %s messages, it is the last known one', async (got) => {
    const { read, sqs, requests } = await startReader();
    await read();
    sqs.depths = { ...some, ClickQueue: [got, '2'] };
    passSeconds(3);
    expect(await read()).toEqual(seen);
    expect(await read()).toEqual(seen);
    expect(requests).toHaveLength(6);
    const message = 'The queues could not be read; using the last known backlog.';
    const expected = 'expected ApproximateNumberOfMessages of the queue to be a number; got ';
    const error = { message: `${expected}${got ?? 'nothing'}` };
    expect(output.lines()).toMatchObject([{ message, error }]);
    sqs.depths = some;
    passSeconds(6);
    expect(await read()).toMatchObject({ readAt: '2026-11-22T07:00:06.000Z' });
});
test('if SQS has never answered in time, it is unknown', async () => {
    const { read } = await startReader();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const message = 'The queues have not been read yet. Try again in a few seconds.';
    expect(await read()).toEqual({ message });
});
