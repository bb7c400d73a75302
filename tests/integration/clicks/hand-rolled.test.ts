import { expect, test } from 'vitest';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';

const run = useAggregator(() => import('../../../hand-rolled/aggregate-clicks.ts'));

test('the hand-rolled aggregator counts clicks and reports the same metrics', async () => {
  const code = await run.createLink('code');
  const bodies = [
    makeClick('one', code),
    makeClick('two', code),
    makeClick('one', code),
    'no JSON',
    makeEnvelope(makeNested(2, code)),
  ];

  const response = await run.deliverEvent(makeBatch(bodies, 3));

  expect(response).toEqual(failed(3, 4));
  expect(await run.readLink(code)).toMatchObject({ clicks: 2 });
  expect(run.metrics()).toEqual([
    { ClicksCounted: 2, DuplicateClicks: 1, FailedClicks: 2, DeadLetters: 2 },
  ]);
  // JSON.parse's error quotes the message, which the log must not.
  const details = [{ detail: 'SyntaxError' }, { detail: 'expected one click; got an envelope' }];
  expect(run.failures()).toMatchObject(details);
});
