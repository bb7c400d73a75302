import { describe, expect, test } from 'vitest';
import { ItemMissingError } from '../../../lib/idempotency/errors.ts';
import { makeEntry } from '../../helpers/entries.ts';
import { cancelled, commit, committed, conditionFailed, none } from './scripted-dynamodb.ts';

describe('the same key twice in one batch', () => {
  test('is one marker and one duplicate', async () => {
    const [entry, repeat] = [makeEntry('1'), makeEntry('1')];

    const { outcomes, sentMarkers } = await commit([entry, repeat]);

    expect(outcomes).toEqual([committed, { kind: 'duplicate', marker: entry.marker }]);
    expect(sentMarkers).toEqual([['ORDER#1']]);
  });

  test('is two duplicates if it was committed before', async () => {
    const marker = { PK: { S: 'ORDER#1' }, validation: { S: 'hash' } };

    const { outcomes } = await commit(
      [makeEntry('1'), makeEntry('1')],
      cancelled({ ...conditionFailed, Item: marker }, none, none),
    );

    expect(outcomes).toEqual([
      { kind: 'duplicate', marker },
      { kind: 'duplicate', marker },
    ]);
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
});
