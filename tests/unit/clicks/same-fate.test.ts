import * as fc from 'fast-check';
import { ItemMissingError } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { maxMessageBytes, readClick } from '../../../lib/clicks/click.ts';
import { createRecordCounter } from '../../../lib/clicks/count-record.ts';
import type { DeadLetter } from '../../../lib/clicks/dead-letters.ts';
import { describeFailure } from '../../../lib/clicks/failure.ts';
import { openRecord } from '../../../lib/clicks/records.ts';
import { BatchReport } from '../../../lib/clicks/report.ts';
import { at, makeEnvelope, makeNested } from '../../helpers/clicks.ts';
import { detailFields } from '../../helpers/event-fields.ts';
import { useOutput } from '../../helpers/output.ts';

useOutput();
const [neighbour] = makeNested(1, 'neighbour');

/** Delivers a message. Returns the clicks that were counted, its dead letters, and why it failed. */
async function deliver(body: string) {
  const counted: string[] = [];
  const deadLetters: DeadLetter[] = [];
  const countRecord = createRecordCounter({
    countEvent: async (event) => {
      const click = readClick(event);
      if (click.code === 'nowhere')
        throw new ItemMissingError('expected the item to exist', { key: {} });
      counted.push(JSON.stringify(click));
      return 'counted';
    },
    sendDeadLetters: async (_, sent) => void deadLetters.push(...sent),
    maxReceiveCount: 3,
    report: new BatchReport(3),
  });
  const [record = expect.fail()] = makeBatch([body]).Records.map(openRecord);
  const failure = await countRecord(record).then(
    () => undefined,
    (error) => describeFailure(error).reason,
  );
  return { counted, deadLetters, failure, isOpen: record.message !== undefined };
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('abcd', 'nowhere', at, 'one', '\ud800', '\udfff', '\ufffe', '\uffff', '🎉'),
);
const nested = fc.constantFrom([], [neighbour], [{ clicks: [neighbour] }], { clicks: [neighbour] });
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.constantFrom(null, 1e20, -0, 1e-7, true),
  nested,
  fc.jsonValue({ maxDepth: 3 }),
);
/** Clicks of which any field may be missing, or have any value. */
const fields = Object.fromEntries([...detailFields, 'clicks', 'more'].map((name) => [name, value]));
const click = fc
  .tuple(fc.constant({ clickId: 'one', code: 'abcd', at }), fc.record(fields, { requiredKeys: [] }))
  .chain(([valid, drawn]) =>
    fc.constantFrom({ ...valid, ...drawn }, { ...drawn, ...valid }, drawn),
  );
const detail = fc.oneof({ weight: 9, arbitrary: click }, value);

/** What one click would be as an event of its own, without an id that isn't the click's. */
const makeAlone = (one: unknown) =>
  makeEnvelope([]).replace(/"id":.*?,|\{"clicks":\[\]\}/g, (part) =>
    part.startsWith('"id"') ? '' : JSON.stringify(one),
  );
const isEnvelope = (one: unknown) => {
  const { clicks, clickId, code, at: time } = Object(one);
  return Array.isArray(clicks) && [clickId, code, time].every((field) => field === undefined);
};

test('a click has the same fate alone, in an envelope and in a dead letter that is delivered again', async () => {
  const hasOneFate = fc.asyncProperty(detail, async (one) => {
    const alone = await deliver(makeAlone(one));
    const enclosed = await deliver(makeEnvelope([one, neighbour]));
    const [deadLetter, ...others] = enclosed.deadLetters;

    expect(enclosed.failure).toBeUndefined();
    expect(enclosed.counted).toHaveLength(deadLetter ? 1 : 2);
    expect(others).toEqual([]);
    // An envelope in an envelope isn't opened.
    if (isEnvelope(one)) expect(deadLetter?.reason).toBe('invalid-click');
    else expect(alone.failure).toBe(deadLetter?.reason);
    if (alone.counted.length > 0) expect(enclosed.counted).toContain(alone.counted[0]);
    if (!deadLetter) return;
    expect(JSON.parse(deadLetter.body).detail.clicks).toEqual(JSON.parse(JSON.stringify([one])));
    const again = await deliver(deadLetter.body);
    expect(again).toMatchObject({ counted: [], deadLetters: [], failure: deadLetter.reason });
  });

  await fc.assert(hasOneFate, { numRuns: 500 });
});

// Written again, é takes 6 bytes instead of 2, and 1e20 takes 21 instead of 4.
test.each([
  ['{"more":"%"}', 'é'],
  ['{"more":[%0]}', '1e20,'],
  ['{"more":"%"}', 'x'],
])('a click of %s is never a dead letter that cannot be delivered again', async (json, part) => {
  for (let bytes = 9_000; bytes < maxMessageBytes + 2_000; bytes += 1_500) {
    const invalid = json.replace('%', part.repeat(bytes / Buffer.byteLength(part)));
    const body = makeEnvelope([neighbour]).replace('"clicks":[', `"clicks":[${invalid},`);

    const { isOpen, failure, deadLetters } = await deliver(body);

    expect(failure).toBe(isOpen ? undefined : 'invalid-click');
    for (const deadLetter of deadLetters) {
      expect((await deliver(deadLetter.body)).isOpen).toBe(true);
    }
    expect(deadLetters).toHaveLength(isOpen ? 1 : 0);
  }
});

test('an envelope with a click that is nested too deeply to be written again is not opened', async () => {
  const deep = `${'['.repeat(32_000)}${']'.repeat(32_000)}`;
  const { isOpen, failure } = await deliver(makeEnvelope(['%']).replace('"%"', deep));

  expect(isOpen).toBe(false);
  expect(failure).toBe('invalid-click');
});
