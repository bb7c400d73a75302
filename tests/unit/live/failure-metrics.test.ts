import type { DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { reportUnreadable } from '../../../lib/live/failure-metrics.ts';
import { useOutput } from '../../helpers/output.ts';

const output = useOutput();
const error = new Error('expected a count');

test.each<[string, DynamoDBRecord['dynamodb']]>([
  ['without a change', undefined],
  ['without keys', {}],
  ['with other keys', { Keys: {} }],
  ["with a key that isn't a string", { Keys: { PK: { N: '1' } } }],
])('a record %s is logged without its link', (_, dynamodb) => {
  reportUnreadable({ eventID: 'e1', ...(dynamodb && { dynamodb }) }, error);

  const [line] = output.logged();
  expect(line).toMatchObject({ eventId: 'e1', detail: 'expected a count' });
  expect(line).not.toHaveProperty('code');
});
