import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidClickError, readClick } from '../../../lib/clicks/click.ts';
import { readMessage } from '../../../lib/clicks/records.ts';
import { at, makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';

const nowMs = Date.parse('2026-05-26T12:00:00Z');

test('an event with one click is no envelope, even if it has a field of that name', () => {
  for (const body of [makeClick('one', 'spring'), makeClick('one', 'spring', { clicks: 7 })]) {
    expect(readMessage(body)).toEqual({ events: [JSON.parse(body)], isEnvelope: false });
  }
});

test('each click of an envelope is read as if it had come alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.json(), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...makeNested(1, 'spring'), { code: 'spring', at }),
      (texts, click) => {
        const clicks = [...texts.map((text) => JSON.parse(text)), click];

        const { events } = readMessage(makeEnvelope(clicks));

        for (const [index, event] of events.entries()) {
          const alone = makeEnvelope([]).replace('{"clicks":[]}', JSON.stringify(clicks[index]));
          const expected = Object(clicks[index]).clickId ? read(JSON.parse(alone)) : 'refused';
          expect(read(event)).toEqual(expected);
        }
      },
    ),
  );
});

function read(event: unknown) {
  try {
    return readClick(event, nowMs);
  } catch (error) {
    if (error instanceof InvalidClickError) return 'refused';
    throw error;
  }
}
