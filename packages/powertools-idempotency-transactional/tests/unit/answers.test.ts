import type { ServerResponse } from 'node:http';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { localClientConfig } from '../../../../loopback/local-aws.ts';
import {
  answerInTurn,
  answerJson,
  startScriptedService,
} from '../../../../tests/helpers/scripted-service.ts';
import { commitEntries } from '../../src/commit-entries.ts';
import { makeEntries } from '../helpers/entries.ts';
import { accepted, committed } from './scripted-dynamodb.ts';

/** Commits one entry by the real SDK; the first answer is given, the second is DynamoDB's own. */
async function commitOne(statusCode: number, body: string) {
  const answer = (response: ServerResponse) => {
    response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(body);
  };
  const service = await startScriptedService(answerInTurn(answer, answerJson(200, accepted)));
  const client = createCommitClient(localClientConfig(service.url));
  const options = { client, random: () => 0, newToken: () => 'token' };
  const outcomes = await Promise.all(commitEntries(options, makeEntries(1)));
  client.destroy();
  return { outcomes, bodies: service.bodies };
}

const unsigned = (message: string) =>
  JSON.stringify({ __type: 'InvalidSignatureException', message });

test.each<[string, number, string]>([
  // These don't come from DynamoDB, so they prove no commit.
  ['nothing', 200, ''],
  ['an empty object', 200, '{}'],
  ['an error', 200, '{"__type":"ThrottlingException"}'],
  ['an empty capacity', 200, '{"ConsumedCapacity":[]}'],
  ['a capacity without units', 200, '{"ConsumedCapacity":[{}]}'],
  ['another success', 202, ''],
  // The error of these can't be read.
  ['nothing', 400, ''],
  ['a redirect', 301, ''],
  ['a page', 403, '<html>Forbidden</html>'],
  ['nothing', 503, ''],
  // The SDK corrects its clock for the next request.
  ['a late signature', 400, unsigned('Signature expired')],
])('after the answer of %s with %i, the same request goes again', async (_, statusCode, body) => {
  const { outcomes, bodies } = await commitOne(statusCode, body);

  expect(outcomes).toEqual([committed]);
  expect(bodies).toEqual([bodies[0], bodies[0]]);
  expect(bodies[0]).toMatchObject({
    ClientRequestToken: 'token',
    ReturnConsumedCapacity: 'TOTAL',
  });
});

test('a response that names AccessDeniedException is not retried', async () => {
  const rejection = { __type: 'com.amazon.coral.service#AccessDeniedException', message: 'no' };

  const { outcomes, bodies } = await commitOne(400, JSON.stringify(rejection));

  const cause = { name: 'AccessDeniedException' };
  expect(outcomes).toMatchObject([
    { name: 'CommitRejectedError', message: 'AccessDeniedException: no', cause },
  ]);
  expect(bodies).toHaveLength(1);
});

test('the layer retries, and not the SDK', async () => {
  expect(await createCommitClient().config.maxAttempts()).toBe(1);
});
