import { expect, test } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';

const run = useAggregator(() => import('../../../functions/aggregate-clicks-hand-rolled.ts'));

test('the hand-rolled aggregator counts clicks and reports the same metrics', async () => {
  const code = await run.stack.createLink('code');
  const bodies = [
    makeClick('one', code),
    makeClick('two', code),
    makeClick('one', code),
    'no JSON',
  ];

  const response = await run.stack.newInstance()(makeBatch(bodies, 3), makeContext());

  expect(response).toEqual(failed(3));
  expect(await run.stack.readLink(code)).toMatchObject({ clicks: 2 });
  expect(run.metrics()).toEqual([
    { ClicksCounted: 2, DuplicateClicks: 1, FailedClicks: 1, DeadLetters: 1 },
  ]);
  // JSON.parse's error quotes the message, which the log must not.
  const failure = { messageId: 'message-3', attempt: 3, reason: 'not-committed' };
  expect(run.failures()).toMatchObject([{ ...failure, detail: 'SyntaxError' }]);
});

test('the hand-rolled aggregator refuses envelopes, even one that looks like a click too', async () => {
  const code = await run.stack.createLink();
  const clicks = makeNested(2, code);
  const bodies = [makeEnvelope(clicks), makeEnvelope(clicks, { ...clicks[0] })];

  const response = await run.stack.newInstance()(makeBatch(bodies), makeContext());

  expect(response).toEqual(failed(0, 1));
  expect(await run.stack.readLink(code)).toMatchObject({ clicks: 0 });
  const detail = 'expected one click; got an envelope';
  expect(run.failures()).toMatchObject([{ detail }, { detail }]);
});
