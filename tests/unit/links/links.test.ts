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
let stopTable: () => Promise<void>;

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await stopTable();
});

/** A table that answers one read after the other; local engines have no reads that lag. */
async function startTableThatAnswers(...answers: object[]) {
  const server = await startScriptedService((response) =>
    answerJson(200, answers.shift() ?? {})(response),
  );
  stopTable = server.stop;
  stubAwsEnvironment({ TABLE_NAME: 'clicks', AWS_ENDPOINT_URL_DYNAMODB: server.url });
  const { readLink } = await import('../../../lib/links/links.ts');
  return { readLink, requests: server.bodies };
}

const read = (consistent: boolean) => ({
  TableName: 'clicks',
  Key: { PK: { S: 'LINK#abcd' }, SK: { S: 'META' } },
  ConsistentRead: consistent,
});

test('a link is read once, at half the price of a consistent read', async () => {
  const { readLink, requests } = await startTableThatAnswers(found);

  expect(await readLink('abcd')).toMatchObject({ url: 'https://example.com/', clicks: 3 });
  expect(requests).toEqual([read(false)]);
});

test('a link too new for such a read is found all the same', async () => {
  const { readLink, requests } = await startTableThatAnswers({}, found);

  expect(await readLink('abcd')).toMatchObject({ url: 'https://example.com/' });
  expect(requests).toEqual([read(false), read(true)]);
});

test('a link that neither read sees does not exist', async () => {
  const { readLink } = await startTableThatAnswers({}, {});

  expect(await readLink('abcd')).toBeUndefined();
});

test("a reading of a link's total ends when it is told to", async () => {
  const controller = new AbortController();
  // The days are listed; the transaction is never answered.
  const server = await startScriptedService((response) => {
    if (server.bodies.length === 1) answerJson(200, { Items: [] })(response);
    else controller.abort();
  });
  stopTable = server.stop;
  stubAwsEnvironment({ TABLE_NAME: 'clicks', AWS_ENDPOINT_URL_DYNAMODB: server.url });
  const { readLinkTotal } = await import('../../../lib/links/links.ts');

  await expect(readLinkTotal('abcd', controller.signal)).rejects.toThrow('aborted');
});
