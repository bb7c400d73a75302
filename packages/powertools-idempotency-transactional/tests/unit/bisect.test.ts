import { expect, test } from 'vitest';
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

const invalid = { Code: 'ValidationError', Message: 'no' };
/** Refuses an item that the transaction's entries share. */
const refuseShared: Answer = (input, signal) =>
  cancelled(...markersOf(input).map(() => none), invalid, none)(input, signal);

test.each<[string, Answer]>([
  ...[
    'AccessDeniedException',
    'ItemCollectionSizeLimitExceededException',
    'ResourceNotFoundException',
    'SerializationException',
    'ValidationException',
  ].map((name): [string, Answer] => [name, failing(name, 400)]),
  ['ValidationError', refuseShared],
])(
  'a poisoned entry is found by bisecting, and its neighbours are committed: %s',
  async (name, refusal) => {
    const poisoned: Answer = async (input, signal) =>
      markersOf(input).includes('a-61') ? refusal(input, signal) : accepted;

    const { outcomes, sent } = await commit(makeEntries(98), ...Array(20).fill(poisoned));

    const expected = Array(98).fill(committed);
    expected[61] = new CommitRejectedError(`${name}: no`);
    expect(outcomes).toEqual(expected);
    // The first request, and two for each of the seven times that 98 can be bisected.
    expect(sent.length).toBeLessThanOrEqual(15);
  },
);
