import { describe, expect, test } from 'vitest';
import { CommitDeadlineError, ItemMissingError } from '../../src/errors.ts';
import { makeEntry } from '../helpers/entries.ts';
import {
  cancelled,
  commit,
  commitAtRandom,
  committed,
  conditionFailed,
  duplicate,
  none,
  taken,
} from './scripted-dynamodb.ts';

describe('the same key twice in one batch', () => {
  test('is one marker and one duplicate', async () => {
    const { outcomes, sentMarkers } = await commit([makeEntry('1'), makeEntry('1')]);

    expect(outcomes).toEqual([committed, { kind: 'duplicate', payloadHash: 'hash' }]);
    expect(sentMarkers).toEqual([['ORDER#1']]);
  });

  test('is a duplicate of the committed payload, even if its own is another', async () => {
    const entries = [makeEntry('1', 'a'), makeEntry('1', 'b', { payloadHash: 'other' })];

    const { outcomes } = await commit(entries);

    expect(outcomes).toEqual([committed, { kind: 'duplicate', payloadHash: 'hash' }]);
  });

  test('is two duplicates if it was committed before', async () => {
    const { outcomes } = await commit(
      [makeEntry('1'), makeEntry('1')],
      cancelled(taken, none, none),
    );

    expect(outcomes).toEqual([duplicate, duplicate]);
  });

  test('fails twice for one reason after one attempt', async () => {
    const { outcomes, sent } = await commit(
      [makeEntry('1'), makeEntry('1')],
      cancelled(none, conditionFailed, none),
    );

    const missing = new ItemMissingError({ PK: 'a', SK: 'TOTAL' });
    expect(outcomes).toEqual([missing, missing]);
    expect(sent).toHaveLength(1);
  });

  test('is tried again if its payload differs from the one that failed', async () => {
    const entries = [makeEntry('1', 'a'), makeEntry('1', 'b', { payloadHash: 'other' })];

    const { outcomes } = await commit(entries, cancelled(none, conditionFailed, none));

    expect(outcomes).toEqual([new ItemMissingError({ PK: 'a', SK: 'TOTAL' }), committed]);
  });

  test('is tried with its fourth payload, too, if deliveries repeat in the same order', async () => {
    const bad = ['a', 'b', 'c'].map((name) => makeEntry('1', name, { payloadHash: name }));
    const good = makeEntry('1', 'good', { payloadHash: 'good' });
    const unknown = cancelled(none, conditionFailed, none);
    // The second attempt is for the entry with the lowest number.
    const numbers = [0.9, 0.8, 0.1];

    const { outcomes } = await commitAtRandom(() => numbers.shift() ?? 0, [...bad, good], unknown);

    expect(outcomes[3]).toEqual(committed);
  });

  test('is not tried for ever, however many payloads it has', async () => {
    const payloads = ['a', 'b', 'c', 'd', 'e'];
    const entries = payloads.map((name) => makeEntry('1', name, { payloadHash: name }));
    const unknown = cancelled(none, conditionFailed, none);

    const { outcomes, sent } = await commit(entries, unknown, unknown, unknown);

    expect(sent).toHaveLength(3);
    expect(outcomes.slice(0, 3)).toEqual(
      ['a', 'b', 'c'].map((PK) => new ItemMissingError({ PK, SK: 'TOTAL' })),
    );
    expect(outcomes.slice(3).map(String)).toEqual(
      Array(2).fill(
        'CommitRejectedError: expected at most 3 payloads of one key in a batch; got more, so this one was not tried',
      ),
    );
  });
});

test('the delivery with the most time commits a payload that several invocations deliver', async () => {
  const nowMs = Date.now();
  const entries = [-3, -2, -1, 10_000].map((ms) => makeEntry('1', 'a', { deadlineMs: nowMs + ms }));

  const { outcomes, sent } = await commit(entries);

  const late = new CommitDeadlineError('not committed before the deadline: no attempt was made');
  expect(outcomes).toEqual([late, late, late, committed]);
  expect(sent).toHaveLength(1);
});
