import { SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { createBacklogReader } from '../../../lib/live/backlog.ts';
import { useOutput } from '../../helpers/output.ts';
import {
  type answerInTurn,
  answerJson,
  startScriptedService,
} from '../../helpers/scripted-service.ts';
import { refuse, startScriptedTable } from '../../helpers/scripted-table.ts';

const output = useOutput();
const seen = { waiting: 6, setAside: 12, readAt: '2026-11-22T06:59:59.000Z' };
const nowMs = Date.parse('2026-11-22T07:00:00.000Z');

const nothingYet = answerJson(200, {});
const leased = answerJson(200, { Attributes: marshall({ leasedUntilMs: nowMs + 3_000 }) });
const empty = {
  ApproximateNumberOfMessages: '0',
  ApproximateNumberOfMessagesNotVisible: '0',
  ApproximateNumberOfMessagesDelayed: '0',
};

/** A reader whose table gives these answers and whose queues are empty. */
async function startReader(...answers: Parameters<typeof answerInTurn>) {
  const { access } = await startScriptedTable(...answers);
  const { url, bodies } = await startScriptedService(answerJson(200, { Attributes: empty }));
  const clickQueue = `${url}/000000000000/clicks`;
  const read = createBacklogReader({
    table: access,
    sqs: new SQSClient(localClientConfig(url)),
    queueUrls: { clickQueue, clickQueues: 1, deadLetterQueues: [] },
    now: () => nowMs,
  });
  return { read, queueRequests: bodies };
}

test('a viewer who loses the lease gets the stored backlog without reading a queue', async () => {
  const Item = marshall({ ...seen, leasedUntilMs: nowMs + 3_000 });
  const outrun = refuse('ConditionalCheckFailedException', { Item });
  const { read, queueRequests } = await startReader(nothingYet, outrun);

  expect(await read()).toEqual(seen);
  expect(queueRequests).toEqual([]);
});

test('a failing table is an error, not an unknown backlog', async () => {
  const { read } = await startReader(nothingYet, refuse('AccessDeniedException'));

  await expect(read()).rejects.toThrow(expect.objectContaining({ name: 'AccessDeniedException' }));
});

test('a backlog that cannot be stored is still returned, and the log says why', async () => {
  const { read } = await startReader(nothingYet, leased, refuse('AccessDeniedException'));

  expect(await read()).toEqual({
    ...{ waiting: 0, setAside: 0 },
    readAt: '2026-11-22T07:00:00.000Z',
  });
  expect(output.lines()).toMatchObject([
    {
      message: 'The backlog could not be stored for other viewers.',
      error: { name: 'AccessDeniedException' },
    },
  ]);
});
