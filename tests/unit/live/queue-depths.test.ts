import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { countBacklog } from '../../../lib/live/queue-depths.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

const depths = {
  ApproximateNumberOfMessages: '1',
  ApproximateNumberOfMessagesNotVisible: '20',
  ApproximateNumberOfMessagesDelayed: '300',
};

/** Counts the backlog of two click queues and a dead-letter queue, which all have these depths. */
async function count(attributes: Record<string, string | undefined>) {
  const { url } = await startScriptedService(answerJson(200, { Attributes: attributes }));
  const sqs = new SQSClient(localClientConfig(url));
  return countBacklog(sqs, {
    clickQueue: `${url}/000000000000/clicks`,
    clickQueues: 2,
    deadLetterQueues: [`${url}/000000000000/dead`],
  });
}

test.each([
  ['nothing', undefined],
  ['few', 'few'],
  ['12 or so', '12 or so'],
  ['-1', '-1'],
])('a queue that reports %s messages is an error', async (got, ApproximateNumberOfMessages) => {
  await expect(count({ ...depths, ApproximateNumberOfMessages })).rejects.toThrow(
    new TypeError(`expected ApproximateNumberOfMessages of the queue to be a number; got ${got}`),
  );
});

test('a queue that does not answer in time is an error', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());

  await expect(count(depths)).rejects.toThrow('aborted');
});
