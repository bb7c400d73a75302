import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { linkVariables, stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { call } from '../../helpers/http-api.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

const url = 'https://example.com/';
const newLink = { url, owner: 'anna', linksPerDay: 10 };
const proof = { ConsumedCapacity: [{ TableName: 'clicks', CapacityUnits: 6 }] };

beforeEach(() => {
  // Retries don't wait.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The functions that write and read links, bound to the environment's table. */
async function importLinks() {
  const { createLink } = await import('../../../lib/links/link-creation.ts');
  const { updateAnyLink } = await import('../../../lib/links/link-update.ts');
  const { getLink, getLinks } = await import('../../../lib/links/links.ts');
  const { table } = await import('../../../lib/dynamodb/table.ts');
  const aborted = { ...table, abortSignal: AbortSignal.abort() };
  return {
    create: () => createLink(table, newLink),
    disable: () => updateAnyLink(table, { code: 'abcd', disabled: true }),
    readAborted: () => getLink(aborted, 'abcd'),
    readAllAborted: () => getLinks(aborted, ['abcd']),
  };
}

test('a new link takes one read and one write, which asks for proof of its commit', async () => {
  const requests = await startTableOfFunctions({}, {}, proof);
  stubAwsEnvironment(linkVariables);
  const { handler } = await import('../../../functions/create-link.ts');

  const { statusCode, body } = await call(handler, {
    routeKey: 'POST /links',
    body: JSON.stringify({ url, code: 'abcd' }),
  });

  expect([statusCode, body]).toEqual([
    201,
    { code: 'abcd', shortUrl: 'https://go.example.com/abcd', url },
  ]);
  // The first request counts the caller's requests.
  expect(requests.slice(1)).toMatchObject([
    { Key: { PK: { S: 'LINK#abcd' } }, ConsistentRead: true },
    { ReturnConsumedCapacity: 'TOTAL' },
  ]);
});

describe('an answer without proof of the commit is an error', () => {
  test('for a new link', async () => {
    const requests = await startTableOfFunctions();
    const { create } = await importLinks();
    // Each look at the clock takes a twentieth of a second.
    let nowMs = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => (nowMs += 50));

    await expect(create()).rejects.toThrow(/before the deadline: .*CommitUnprovenError/);
    expect(requests.length).toBeGreaterThan(1);
  });

  test('for a change', async () => {
    const requests = await startTableOfFunctions();
    const { disable } = await importLinks();

    await expect(disable()).rejects.toThrow('expected the updated item in the response; got none');
    expect(requests).toHaveLength(8);
  });
});

test.each(['create', 'disable'] as const)(
  "a write to a table that doesn't exist is an error at once: %s",
  async (write) => {
    const server = await startScriptedService(
      answerJson(400, { __type: 'ResourceNotFoundException', message: 'no table' }),
    );
    stubAwsEnvironment({ TABLE_NAME: 'clicks', AWS_ENDPOINT_URL_DYNAMODB: server.url });
    const links = await importLinks();

    await expect(links[write]()).rejects.toThrow('no table');
    expect(server.bodies).toHaveLength(1);
  },
);

test('a write sends nothing after its deadline', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const requests = await startTableOfFunctions(proof);
  const { disable } = await importLinks();

  await expect(disable()).rejects.toThrow('aborted');
  expect(requests).toEqual([]);
});

test.each(['readAborted', 'readAllAborted'] as const)(
  'a read sends nothing once its signal is aborted: %s',
  async (read) => {
    const requests = await startTableOfFunctions();
    const links = await importLinks();

    await expect(links[read]()).rejects.toThrow('aborted');
    expect(requests).toEqual([]);
  },
);
