import { expect, test } from 'vitest';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { openRecord } from '../../../lib/clicks/records.ts';
import { BatchReport } from '../../../lib/clicks/report.ts';
import { metrics } from '../../../lib/telemetry/powertools.ts';
import { makeClicks, makeEnvelope, makeNested } from '../../helpers/clicks.ts';
import { useOutput } from '../../helpers/output.ts';

const output = useOutput();

test('each message that was not started is logged and counts as failed, also one that cannot be read', () => {
  const bodies = ['{"cut off', makeEnvelope(makeNested(3, 'spring')), ...makeClicks(1, 'spring')];
  const report = new BatchReport(1);

  for (const record of makeBatch(bodies).Records) report.addNotStarted(openRecord(record));
  report.publish();
  metrics.publishStoredMetrics();

  expect(output.logged()).toMatchObject([
    { messageId: 'message-0', reason: 'invalid-click' },
    { messageId: 'message-1', reason: 'out-of-time', clicks: 3 },
    { messageId: 'message-2', reason: 'out-of-time', clicks: 1 },
  ]);
  expect(output.metrics()).toMatchObject([{ FailedClicks: 5, DeadLetters: 5 }]);
});
