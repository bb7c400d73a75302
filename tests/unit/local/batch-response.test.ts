import { expect, test } from 'vitest';
import { findFailedIds } from '../../../local/engines/batch-response.ts';

test.each([
  ['no failures', '{"batchItemFailures":[]}', []],
  ['no list', '{"batchItemFailures":null}', []],
  ['an empty response', '{}', []],
  ['null', 'null', []],
  ['nothing', '', []],
  ['one failure', '{"batchItemFailures":[{"itemIdentifier":"b"}]}', ['b']],
  ['no JSON', 'oops', ['a', 'b']],
  ['an empty identifier', '{"batchItemFailures":[{"itemIdentifier":""}]}', ['a', 'b']],
  ['a null identifier', '{"batchItemFailures":[{"itemIdentifier":null}]}', ['a', 'b']],
  ['a wrong key', '{"batchItemFailures":[{"id":"a"}]}', ['a', 'b']],
  ['a null failure', '{"batchItemFailures":[null]}', ['a', 'b']],
  ['no list of failures', '{"batchItemFailures":"a"}', ['a', 'b']],
  ['a message of another batch', '{"batchItemFailures":[{"itemIdentifier":"c"}]}', ['a', 'b']],
])('the failed messages of a response with %s', (_, response, failed) => {
  expect([...findFailedIds(response, ['a', 'b'])]).toEqual(failed);
});
