import { expect, test } from 'vitest';
import { sendMessages } from '../../../cli/queue.ts';
const accepted = (...ids) => ({ Successful: ids.map((id) => ({ Id: `${id}` })) });
const rejected = { Failed: [{ Id: '1', Code: 'InvalidMessageContents' }] };
test.each([
    ['confirms nothing', {}, 0],
    ['leaves out a message', accepted(0), 1],
    ['confirms one message twice', accepted(0, 0), 1],
    ['rejects a message', { ...accepted(0), ...rejected }, 1],
])('messages count as sent only if SQS confirms each: one that %s', async (_, response, sent) => {
    const sqs = { send: async () => response };
    const sending = sendMessages({ sqs, url: 'http://127.0.0.1/queue' }, ['{}', '[]']);
    await expect(sending).rejects.toThrow(`SQS accepted ${sent} of 2 messages and `);
});
test('messages are sent in batches of ten', async () => {
    const sizes = [];
    const send = async ({ input }) => {
        sizes.push(input.Entries.length);
        return { Successful: input.Entries };
    };
    await sendMessages({ sqs: { send }, url: 'http://127.0.0.1/queue' }, Array(11).fill('{}'));
    expect(sizes).toEqual([10, 1]);
});
