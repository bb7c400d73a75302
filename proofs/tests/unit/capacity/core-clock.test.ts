import type { Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import { withCoreClocks } from '../../../capacity/core-clock.ts';
import type { FunctionCode } from '../../../simulation/compiled-code.ts';
import type { Sandbox } from '../../../simulation/sandbox.ts';

const after = () => () => {};
const sandbox: Sandbox = {
  instance: { name: 'one', role: 'aggregator', dead: false, frozenUntilMs: 0 },
  time: { nowMs: 1_000, after },
  random: createRandom(1),
  environment: {},
  send: () => expect.unreachable('the handler sends nothing'),
  onLog: () => {},
};
/** Answers with its clock, and with what it has left. */
const code: FunctionCode = {
  load: async (_, { time }) => {
    return async (_event, context) => [time.nowMs, context.getRemainingTimeInMillis()];
  },
};

test('code sees the clock of its core, and the end of its invocation where it was', async () => {
  const clocks = withCoreClocks(code, () => ({ nowMs: 1_300, after }));
  const context = { getRemainingTimeInMillis: () => 5_000 } as Context;

  const handler = await clocks.load('aggregator', sandbox);
  const seen = await handler({}, context);

  // 1,000 + 5,000 ms, as before.
  expect(seen).toEqual([1_300, 4_700]);
});
