import { afterEach, expect, test, vi } from 'vitest';
import { stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

const found = {
  Item: {
    PK: { S: 'LINK#abcd' },
    SK: { S: 'META' },
    url: { S: 'https://example.com/' },
    createdAt: { S: '2026-05-26T10:00:00.000Z' },
    clicks: { N: '3' },
  },
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** A table with scripted answers, since reads of local engines never lag. */
async function startTableThatAnswers(...answers: object[]) {
  const server = await startScriptedService((response) =>
    answerJson(200, answers.shift() ?? {})(response),
  );
  stubAwsEnvironment({ TABLE_NAME: 'clicks', AWS_ENDPOINT_URL_DYNAMODB: server.url });
  const { readLink } = await import('../../../lib/links/links.ts');
  return { readLink, requests: server.bodies };
}

const read = (consistent: boolean) => ({
  TableName: 'clicks',
  Key: { PK: { S: 'LINK#abcd' }, SK: { S: 'META' } },
  ConsistentRead: consistent,
});

test('a link takes one read, at half the price of a consistent one', async () => {
  const { readLink, requests } = await startTableThatAnswers(found);

  expect(await readLink('abcd')).toMatchObject({ url: 'https://example.com/', clicks: 3 });
  expect(requests).toEqual([read(false)]);
});

test('a link too new for that read is found by a consistent one', async () => {
  const { readLink, requests } = await startTableThatAnswers({}, found);

  expect(await readLink('abcd')).toMatchObject({ url: 'https://example.com/' });
  expect(requests).toEqual([read(false), read(true)]);
});

test('a link that neither read sees does not exist', async () => {
  const { readLink } = await startTableThatAnswers({}, {});

  expect(await readLink('abcd')).toBeUndefined();
});

test("an abort ends the read of a link's total", async () => {
  const controller = new AbortController();
  // The days are listed; the transaction is never answered.
  const server = await startScriptedService((response) => {
    if (server.bodies.length === 1) answerJson(200, { Items: [] })(response);
    else controller.abort();
  });
  stubAwsEnvironment({ TABLE_NAME: 'clicks', AWS_ENDPOINT_URL_DYNAMODB: server.url });
  const { readLinkTotal } = await import('../../../lib/links/links.ts');

  await expect(readLinkTotal('abcd', controller.signal)).rejects.toThrow('aborted');
});
