import { SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test, vi } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { countBacklog, createBacklogReader } from '../../../lib/live/backlog.ts';
import { useOutput } from '../../helpers/output.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { refuse, startScriptedTable } from '../../helpers/scripted-table.ts';

const output = useOutput();
const nowMs = Date.parse('2026-11-22T07:00:00.000Z');
const readAt = '2026-11-22T07:00:00.000Z';
const depths = {
  ApproximateNumberOfMessages: '1',
  ApproximateNumberOfMessagesNotVisible: '20',
  ApproximateNumberOfMessagesDelayed: '300',
};

/** A click queue with these depths. */
async function startQueue(attributes: Record<string, string | undefined> = depths) {
  const { url, bodies } = await startScriptedService(answerJson(200, { Attributes: attributes }));
  const clickQueue = `${url}/000000000000/clicks`;
  const queueUrls = { clickQueue, clickQueues: 1, deadLetterQueues: [] };
  return { sqs: new SQSClient(localClientConfig(url)), queueUrls, bodies };
}

const nothingYet = answerJson(200, {});
const leased = answerJson(200, { Attributes: marshall({ leasedUntilMs: nowMs + 3_000 }) });
const seen = { waiting: 6, setAside: 12, readAt: '2026-11-22T06:59:59.000Z' };
const leaseOfOther = { Item: marshall({ ...seen, leasedUntilMs: nowMs + 3_000 }) };

const isLost = refuse('ConditionalCheckFailedException', leaseOfOther);
const isDenied = refuse('AccessDeniedException');
const counted = { waiting: 321, setAside: 0, readAt };

test.each([
  ['gets the stored backlog if another reader holds the lease', [nothingYet, isLost], seen, 0],
  ['gets the backlog even if it is not stored', [nothingYet, leased, isDenied], counted, 1],
  ['gets an error if the table fails', [nothingYet, isDenied], 'AccessDeniedException', 0],
])('a viewer %s', async (_, answers, backlog, queueRequests) => {
  const { access } = await startScriptedTable(...answers);
  const { sqs, queueUrls, bodies } = await startQueue();
  const read = createBacklogReader({ table: access, sqs, queueUrls, now: () => nowMs });

  expect(await read().catch(({ name }) => name)).toEqual(backlog);

  expect(bodies).toHaveLength(queueRequests);
  const unstored = { message: 'The backlog could not be stored for other viewers.', error: {} };
  expect(output.lines()).toMatchObject(queueRequests > 0 ? [unstored] : []);
});

test.each([undefined, '12 or so', '-1'])(
  'a queue that reports %s messages is an error',
  async (got) => {
    const { sqs, queueUrls } = await startQueue({ ...depths, ApproximateNumberOfMessages: got });

    const expected = 'expected ApproximateNumberOfMessages of the queue to be a number; got ';
    await expect(countBacklog(sqs, queueUrls)).rejects.toThrow(
      new TypeError(`${expected}${got ?? 'nothing'}`),
    );
  },
);

test('a queue that does not answer in time is an error', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
  const { sqs, queueUrls } = await startQueue();

  await expect(countBacklog(sqs, queueUrls)).rejects.toThrow('aborted');
});
