import { expect, test } from 'vitest';
import { summarizeError } from '../../../local/stack/log-line.ts';

test.each([
  [
    'a failed message',
    '{"level":"ERROR","function_name":"aggregate","message":"click not confirmed","detail":"no code","attempt":1,"maxReceiveCount":3}',
    'aggregate: click not confirmed: no code (attempt 1 of 3)',
  ],
  [
    'a failed request',
    '{"level":"ERROR","service":"click-tally","message":"A request failed.","error":{"message":"no table"}}',
    'click-tally: A request failed.: no table',
  ],
  ['code that does not build', '✘ [ERROR] Unexpected ";"', 'Unexpected ";"'],
  ['a failed reload', '× Bundle error, waiting for a file', 'Bundle error, waiting for a file'],
])('%s is summarized in one line', (_, line, summary) => {
  expect(summarizeError(line)).toBe(summary);
});

test.each([
  ['a line of level INFO', '{"level":"INFO","message":"fine"}'],
  ['a metric', '{"_aws":{},"ClicksCounted":1}'],
  ['cut JSON', '{"level":"ERROR"'],
  ['plain text', 'GET /docs'],
])('%s is not an error', (_, line) => {
  expect(summarizeError(line)).toBeUndefined();
});
