import { describe, expect, test } from 'vitest';
import { CommitRejectedError } from '../../src/errors.ts';
import { makeEntries } from '../helpers/entries.ts';
import {
  type Answer,
  accepted,
  cancelled,
  commit,
  committed,
  failing,
  markersOf,
  none,
} from './scripted-dynamodb.ts';

/** Fails every transaction with the entry of this marker; commits the others. */
const poisonedBy =
  (marker: string, answer: Answer): Answer =>
  async (input, signal) =>
    markersOf(input).includes(marker) ? answer(input, signal) : accepted;

describe('a poisoned entry is found by bisecting, and its neighbours are committed', () => {
  test.each([
    'AccessDeniedException',
    'ItemCollectionSizeLimitExceededException',
    'ResourceNotFoundException',
    'SerializationException',
    'ValidationException',
  ])('if DynamoDB refuses the whole request because of it: %s', async (name) => {
    const refused = poisonedBy('ORDER#a-61', failing(name, 400));

    const { outcomes, sent } = await commit(makeEntries(98), ...Array(20).fill(refused));

    const expected = Array(98).fill(committed);
    expected[61] = new CommitRejectedError(`${name}: no`);
    expect(outcomes).toEqual(expected);
    expect(outcomes[61]).toMatchObject({ cause: { name } });
    // The first request, and two for each of the seven times that 98 can be bisected.
    expect(sent.length).toBeLessThanOrEqual(15);
  });

  test('if DynamoDB refuses an item that it shares with others', async () => {
    const invalid = { Code: 'ValidationError', Message: 'bad number' };
    const refused = poisonedBy('ORDER#a-2', (input, signal) => {
      const markers = markersOf(input).map(() => none);
      return cancelled(...markers, invalid, none)(input, signal);
    });

    const { outcomes } = await commit(makeEntries(3), ...Array(6).fill(refused));

    expect(outcomes).toEqual([
      committed,
      committed,
      new CommitRejectedError('ValidationError: bad number'),
    ]);
  });
});
