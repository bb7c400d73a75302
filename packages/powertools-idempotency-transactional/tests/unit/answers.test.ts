import type { ServerResponse } from 'node:http';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { describe, expect, test } from 'vitest';
import { localClientConfig } from '../../../../cli/local-aws.ts';
import {
  answerInTurn,
  answerJson,
  startScriptedService,
} from '../../../../tests/helpers/scripted-service.ts';
import { commitEntries } from '../../src/commit.ts';
import { CommitRejectedError } from '../../src/errors.ts';
import { makeEntries } from '../helpers/entries.ts';
import { accepted, committed } from './scripted-dynamodb.ts';

/** Commits one entry by the real SDK; the first answer is given, the second is DynamoDB's own. */
async function commitOne(answer: (response: ServerResponse) => void) {
  const service = await startScriptedService(answerInTurn(answer, answerJson(200, accepted)));
  const client = createCommitClient(localClientConfig(service.url));
  const committing = commitEntries(
    { client, random: () => 0, newToken: () => 'token' },
    makeEntries(1),
  );
  const outcomes = await Promise.all(committing);
  client.destroy();
  return { outcomes, bodies: service.bodies };
}

const answer =
  (status: number, body: string, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
    response.end(body);
  };

describe('an answer that does not come from DynamoDB proves no commit', () => {
  test.each([
    [200, ''],
    [200, 'null'],
    [200, '{}'],
    [200, '{"__type":"ThrottlingException"}'],
    [200, '{"ConsumedCapacity":null}'],
    [200, '{"ConsumedCapacity":[]}'],
    [200, '{"ConsumedCapacity":[null]}'],
    [200, '{"ConsumedCapacity":[{}]}'],
    [202, ''],
  ])('%i with the body %s: the same request goes again', async (status, body) => {
    const { outcomes, bodies } = await commitOne(answer(status, body));

    expect(outcomes).toEqual([committed]);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
    expect(bodies[0]).toMatchObject({
      ClientRequestToken: 'token',
      ReturnConsumedCapacity: 'TOTAL',
    });
  });
});

describe('an answer without a readable error is tried again', () => {
  test.each([
    [400, ''],
    [400, '{"message":"no"}'],
    [301, ''],
    [403, '<html>Forbidden</html>'],
    [503, ''],
  ])('%i with the body %s', async (status, body) => {
    const { outcomes, bodies } = await commitOne(answer(status, body));

    expect(outcomes).toEqual([committed]);
    expect(bodies).toHaveLength(2);
  });

  test.each([
    ['long ago', 'Signature expired', {}],
    ['too early', 'Signature not yet current', { date: 'Mon, 01 Jan 2024 00:00:00 GMT' }],
  ])('a signature that was made %s', async (_, message, headers) => {
    const refusal = JSON.stringify({ __type: 'InvalidSignatureException', message });

    const { outcomes, bodies } = await commitOne(answer(400, refusal, headers));

    expect(outcomes).toEqual([committed]);
    expect(bodies).toHaveLength(2);
  });

  test('but a refusal that names itself is final', async () => {
    const refusal = { __type: 'com.amazon.coral.service#AccessDeniedException', message: 'no' };

    const { outcomes, bodies } = await commitOne(answerJson(400, refusal));

    expect(outcomes).toEqual([new CommitRejectedError('AccessDeniedException: no')]);
    expect(bodies).toHaveLength(1);
  });
});
