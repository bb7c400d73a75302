import { expect, test } from 'vitest';
import { toAsciiJson } from '../../../lib/aws/send-message.ts';
import { toBusEntry, toBusEvent } from '../../../lib/clicks/click-event.ts';
import { readMessage, repackEnvelope } from '../../../lib/clicks/records.ts';
import { detailFields } from '../../helpers/event-fields.ts';

const lastCodePoint = 0x10ffff;
const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

function textOf(first: number, last: number): string {
  let text = '';
  for (let codePoint = first; codePoint <= last; codePoint += 1) {
    text += String.fromCodePoint(codePoint);
  }
  return text;
}

test('all of Unicode, and each half of a pair alone, is ASCII on the wire and the same after it', () => {
  for (let first = 0; first <= lastCodePoint; first += 0x1_0000) {
    const text = textOf(first, first + 0xffff);
    const json = toAsciiJson({ [text]: text });

    expect(isAscii(json)).toBe(true);
    expect(JSON.parse(json)[text]).toBe(text);
  }
});

const texts = [...['🎉', '\ufffe', '\uffff', '\ud800', '\udfff'], textOf(0x80, 0x2ff)];

test.each(detailFields)(
  'any character in %s is ASCII on the bus, in the queue and in an envelope',
  (field) => {
    for (const text of texts) {
      const detail = { clickId: 'one', code: 'abcd', at: '2026-05-26T10:00:00Z', [field]: text };
      const message = JSON.stringify({ id: text, detail: { clicks: [detail] } });
      const { envelope = {}, events } = readMessage(message);

      const onBus = toBusEntry('bus', detail, 'source').Detail;
      const inQueue = toAsciiJson(toBusEvent(detail, 'source', '1'));
      const inEnvelope = repackEnvelope(envelope, events);

      expect([onBus, inQueue, inEnvelope].filter(isAscii)).toHaveLength(3);
      expect(JSON.parse(onBus)).toEqual(detail);
      expect(JSON.parse(inQueue).detail).toEqual(detail);
      expect(JSON.parse(inEnvelope)).toEqual(JSON.parse(message));
    }
  },
);
