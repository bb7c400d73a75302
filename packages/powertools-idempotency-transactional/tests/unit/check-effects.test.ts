import { CommitRejectedError, type Effects } from 'powertools-idempotency-transactional';
import { describe, expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { checkEffects } from '../../src/check-effects.ts';
import { makeEntry } from '../helpers/entries.ts';
import { makeBook, makeConfig } from '../helpers/layer.ts';
import { commit, scriptClient } from './scripted-dynamodb.ts';

const increment = { key: { PK: 'a' }, attribute: 'n', by: 1 };

describe('what TypeScript would reject is rejected in JavaScript, before any request', () => {
  test.each<[string, unknown, string]>([
    ['a promise', Promise.resolve({ increments: [increment] }), 'got a promise'],
    ['a list', [increment], "got [ { key: [Object], attribute: 'n', by: 1 } ]"],
    ['nothing', undefined, 'got undefined'],
    ['an empty object', {}, 'got none. If that is meant, return { writes: [] }.'],
    ['a misspelt list', { increment: [increment] }, 'got "increment"'],
    ['a request of the SDK', { TransactItems: [] }, 'got "TransactItems"'],
    ['one increment', { increments: increment }, 'expected increments to be an array'],
    ['a null', { writes: [null] }, 'expected writes to be objects; got null'],
    [
      'a misspelt requirement',
      { increments: [{ ...increment, mustExsist: true }] },
      '"mustExsist"',
    ],
    ['an unknown operation', { writes: [{ Upsert: { Item: {} } }] }, 'got "Upsert"'],
    ['a misspelt condition', { writes: [{ Put: { Item: {}, Condition: 'x' } }] }, '"Condition"'],
  ])('%s', async (_, effects, reason) => {
    const { client, sent } = scriptClient([]);
    const book = makeBook(() => effects as Effects, makeConfig(), {
      awsSdkV3Client: client,
      tableName: 'orders',
    });

    const order = { id: '1', customer: 'ann', cents: 1 };
    const error = await book(order, makeContext()).catch(({ cause }) => cause);

    expect(error).toMatchObject({ name: 'InvalidEffectsError' });
    expect(error.message).toContain(reason);
    expect(sent).toEqual([]);
  });
});

test.each<Effects>([
  { writes: [] },
  { increments: [] },
  { response: null },
  { writes: undefined, response: 1 },
])('effects that say what they are pass: %j', (effects) => {
  expect(() => checkEffects(effects)).not.toThrow();
});

test.each<[string, unknown]>([
  ['an empty object', {}],
  ['nothing', undefined],
])('a mock that resolves %s is named at once, and is no commit', async (_, response) => {
  const { outcomes, sent } = await commit([makeEntry('1')], async () => response);

  expect(outcomes).toEqual([expect.any(CommitRejectedError)]);
  expect(outcomes[0]).toMatchObject({ message: expect.stringContaining('a mocked client') });
  expect(sent).toHaveLength(1);
});
