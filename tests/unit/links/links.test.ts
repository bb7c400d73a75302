import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterEach, expect, test, vi } from 'vitest';
import { linkVariables, stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { call } from '../../helpers/http-api.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';
import { handleInTime } from '../../helpers/unhurried.ts';

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
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** A table with scripted answers, because a local engine's reads are always consistent. */
async function startTableThatAnswers(...answers: object[]) {
  const requests = await startTableOfFunctions(...answers);
  return { ...(await importLinks()), requests };
}

/** The functions that read links, bound to the environment's table. */
async function importLinks() {
  const { getLink, readLinkStats } = await import('../../../lib/links/links.ts');
  const { readSnapshot } = await import('../../../lib/links/days.ts');
  const { table } = await import('../../../lib/dynamodb/table.ts');
  return {
    getLink: (code: string) => getLink(table, code),
    readLinkStats: (code: string) => readLinkStats(table, code),
    readLinkSnapshot: (code: string, abortSignal: AbortSignal) =>
      readSnapshot({ ...table, abortSignal }, code),
  };
}

const read = {
  TableName: 'clicks',
  Key: { PK: { S: 'LINK#abcd' }, SK: { S: 'META' } },
  ConsistentRead: true,
};

const link = { ...found.Item, clicks: { N: '102' } };
const dayOf = (index: number) => new Date(Date.UTC(2026, 0, index + 1)).toISOString().slice(0, 10);
const days = Array.from({ length: 101 }, (_, index) => ({
  PK: { S: 'LINK#abcd' },
  SK: { S: `STAT#${dayOf(index)}` },
  count: { N: '1' },
}));

test('a total is read in one transaction with the 99 newest days', async () => {
  const items = [link, ...days.slice(2)].map((Item) => ({ Item }));
  const { requests } = await startTableThatAnswers(
    { Items: days },
    { Responses: items },
    { Items: days },
  );
  const { readLinkSnapshot } = await importLinks();

  const snapshot = await readLinkSnapshot('abcd', AbortSignal.timeout(60_000));

  // A local engine always reads consistently.
  expect(requests[0]).toMatchObject({ ConsistentRead: true });
  expect(snapshot?.link?.clicks).toBe(102);
  expect(snapshot?.days).toHaveLength(101);
  const { TransactItems } = requests[1] as { TransactItems: { Get: { Key: object } }[] };
  expect(TransactItems.map(({ Get }) => Get.Key)).toEqual(
    [link, ...days.slice(2)].map(({ PK, SK }) => ({ PK, SK })),
  );
});

test('a total is not read once its signal is aborted', async () => {
  const { requests } = await startTableThatAnswers();
  const { readLinkSnapshot } = await importLinks();

  await expect(readLinkSnapshot('abcd', AbortSignal.abort())).rejects.toThrow('aborted');
  expect(requests).toEqual([]);
});

const foreign = { Item: { ...found.Item, owner: { S: 'anna' } } };

test.each([
  ['unknown', {}],
  ["another user's", foreign],
])('a request for statistics reads no days if the link is %s', async (_, answer) => {
  const { requests } = await startTableThatAnswers({}, answer);
  vi.stubEnv('PUBLIC_ORIGIN', linkVariables.PUBLIC_ORIGIN);
  const { handler } = await import('../../../functions/get-link-stats.ts');
  const pathParameters = { code: 'abcd' };

  const { statusCode } = await call(handler, {
    routeKey: 'GET /links/{code}/stats',
    pathParameters,
  });

  expect(statusCode).toBe(404);
  // The first request counts the caller's requests.
  expect(requests.slice(1)).toEqual([read]);
});

test('a request without an answer within a second is sent again', async () => {
  vi.spyOn(NodeHttpHandler.prototype, 'handle').mockImplementation(handleInTime);
  const server = await startScriptedService((response) => {
    if (server.bodies.length > 1) answerJson(200, found)(response);
  });
  stubAwsEnvironment({ TABLE_NAME: 'clicks', AWS_ENDPOINT_URL_DYNAMODB: server.url });
  const { getLink } = await importLinks();

  expect(await getLink('abcd')).toMatchObject({ clicks: 3 });
  // A busy machine may send a third.
  expect(server.bodies.slice(0, 2)).toEqual([read, read]);
});
