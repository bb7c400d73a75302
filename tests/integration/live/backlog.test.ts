import { afterEach, expect, test, vi } from 'vitest';
import { call } from '../../helpers/http-api.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { useTable } from '../../helpers/test-table.ts';

useTable({}, ['GetBacklog']);
const depths = {
  ApproximateNumberOfMessages: '3',
  ApproximateNumberOfMessagesNotVisible: '2',
};
const never = { message: expect.stringMatching(/^The q/) };

afterEach(() => void vi.resetModules());

test.each([
  ['the backlog', depths, 200, { waiting: 10, setAside: 10 }],
  ['503 if the queues have never been read', {}, 503, never],
])('GET /live/backlog answers with %s', async (_, Attributes, statusCode, body) => {
  const { url } = await startScriptedService(answerJson(200, { Attributes }));
  for (const name of ['CLICK_QUEUE_URL', 'CLICK_DLQ_URL', 'CLICK_RULE_DLQ_URL']) {
    vi.stubEnv(name, `${url}/000000000000/queue`);
  }
  vi.stubEnv('CLICK_QUEUES', '2');
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', url);
  const { handler } = await import('../../../functions/get-backlog.ts');

  const answer = await call(handler, { routeKey: 'GET /live/backlog' });

  expect(answer).toMatchObject({ statusCode, body });
});
