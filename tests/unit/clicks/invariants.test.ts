import { beforeEach, expect, test, vi } from 'vitest';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { chooseAttributes } from '../../../lib/clicks/breakdowns.ts';
import { valueAttribute } from '../../../lib/clicks/campaign-counters.ts';
import { readClick } from '../../../lib/clicks/click.ts';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { createRecordCounter } from '../../../lib/clicks/count-record.ts';
import { openSheet, placedClickId } from '../../../lib/clicks/placed-id.ts';
import { openRecord, repackEnvelope } from '../../../lib/clicks/records.ts';
import { BatchReport } from '../../../lib/clicks/report.ts';
import { makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';
import { useOutput } from '../../helpers/output.ts';

vi.mock('../../../lib/clicks/breakdowns.ts', { spy: true });
vi.mock('../../../lib/clicks/records.ts', { spy: true });
beforeEach(() => vi.restoreAllMocks());
const output = useOutput();

/** Counts a batch's messages. Returns its outcomes, and the dead letters. */
async function count(bodies: string[]) {
  const deadLetters: string[] = [];
  const countRecord = createRecordCounter({
    countEvent: async (event) => {
      readClick(event);
      return 'counted';
    },
    sendDeadLetters: async (_, sent) => {
      deadLetters.push(...sent.map(({ body }) => body));
    },
    maxReceiveCount: 3,
    report: new BatchReport(3),
  });
  const records = makeBatch(bodies).Records.map(openRecord);
  const results = await Promise.allSettled(records.map(countRecord));
  return { outcomes: results.map(({ status }) => status), deadLetters };
}

test('a message fails alone, and the log says why, if its click lacks one of the breakdowns', async () => {
  vi.mocked(chooseAttributes).mockReturnValueOnce(['vh']);

  const { outcomes } = await count(['a', 'b', 'c'].map((id) => makeClick(id, 'abcd')));

  expect(outcomes).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  const detail = 'expected one attribute for each breakdown; got vh. This is a bug: report it.';
  expect(output.logged()).toMatchObject([{ clickId: 'a', reason: 'not-committed', detail }]);
});

test('an envelope stays in its queue if its dead letter could not be read', async () => {
  vi.mocked(repackEnvelope).mockReturnValue('{"detail":{"clicks":[]}}');
  const bodies = [makeEnvelope([...makeNested(1, 'abcd'), {}]), makeClick('a', 'abcd')];

  expect(await count(bodies)).toEqual({ outcomes: ['rejected', 'fulfilled'], deadLetters: [] });
});

test('an id is never minted for a slot without a seal, or for a queue that does not exist', () => {
  const mint = createClickIds(0);

  expect(() => placedClickId(openSheet(), 128)).toThrow('expected a slot with a seal of 22');
  expect(() => mint('abcd')).toThrow('expected a queue from 0 to -1; got NaN');
});

test("a day's 21st value never gets a number", () => {
  expect(() => valueAttribute(20)).toThrow("expected a value's number from 0 to 19; got 20");
});
