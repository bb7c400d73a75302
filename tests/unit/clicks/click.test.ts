import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  clickEffects,
  InvalidClickError,
  identifyClick,
  identifyLoggable,
  parseMessage,
  readClick,
} from '../../../lib/clicks/click.ts';
import { readMessage } from '../../../lib/clicks/records.ts';
import { makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';

const now = Date.parse('2026-05-26T12:00:00Z');
const detail = { code: 'spring', at: '2026-05-26T10:00:00Z' };
const withDetail = (changes: object) => ({ id: 'event-1', detail: { ...detail, ...changes } });

/** The rejection of a message: for an operator, and for the log. */
function reject(body: string) {
  try {
    return { accepted: readClick(parseMessage(body), now) };
  } catch (error) {
    if (!(error instanceof InvalidClickError)) throw error;
    return { message: error.message, loggable: error.loggable };
  }
}

const ofId = 'expected "id" to be a string of at most 256 characters; got ';
const ofCode =
  'expected "detail.code" to be 1 to 64 letters, digits, "-", "_" or dots between them; got ';
const ofAt =
  'expected "detail.at" to be an ISO 8601 instant with a zone, such as 2026-05-26T10:00:00Z; got ';
const ofMessage = 'expected the message to be an object; got ';
const ofJson = 'expected the message to be JSON; got ';

const click = {
  id: 'event-1',
  code: 'spring',
  day: '2026-05-26',
  breakdowns: expect.arrayContaining(['vu', 'du', 'ru', 'h10']),
};
const clickId = '0196f0d2-6a3e-7c33-9d4b-0e6c2a1f1a11';

test.each([
  [{ id: 'event-1', detail }, click],
  // EventBridge's fields.
  [
    { ...JSON.parse(makeEnvelope([])), detail: { clickId, ...detail } },
    { ...click, id: clickId },
  ],
  [{ id: 'x'.repeat(256), detail }, { id: 'x'.repeat(256) }],
  // The UTC day counts.
  [withDetail({ at: '2026-05-26T00:30:00+02:00' }), { day: '2026-05-25' }],
  [withDetail({ at: '2026-05-26T10:00:00.123456Z' }), { day: '2026-05-26' }],
  [withDetail({ at: '2026-05-27T12:00:00Z' }), { day: '2026-05-27' }],
  [withDetail({ at: '1970-01-01T00:00:00Z' }), { day: '1970-01-01' }],
])('the click %j is read as %j', (event, expected) => {
  expect(readClick(event, now)).toMatchObject(expected);
});

const deep = '['.repeat(30_000) + ']'.repeat(30_000);
const open = '['.repeat(50_000);
const json = JSON.stringify;
const text = (length: number) => `a string of ${length} characters`;
const ahead = 'expected "detail.at" to be at most 24 hours ahead; got ';
const early = 'expected "detail.at" to be in 1970 or later; got ';
const wellFormed = 'expected "id" to be well-formed Unicode; got ';
const neither = 'expected id or detail.clickId; got neither';
const noDetail = 'expected "detail" to be an object; got nothing';
const tooLong = expect.stringMatching(/to have at most 65536 bytes; got 65\d\d\d$/);
const past = '0000-01-01T00:00:00+14:00';
const tomorrow = '2026-05-27T12:00:01Z';
const anna = { id: { name: 'anna' }, detail: { code: '.', at: true } };

// What an operator sees, and what the log has: only types and lengths.
test.each<[body: string, start: string, shown: string, logged?: string]>([
  ['click!', ofJson, '"click!"', text(6)],
  ['[1]', ofMessage, '[1]', 'a list of 1'],
  [open, ofJson, `"${open.slice(0, 79)}… (50002)`, text(50_000)],
  [deep, ofMessage, 'a deeply nested object', 'a list of 1'],
  [json({ id: '', detail }), neither, ''],
  [json({ id: 7, detail }), ofId, '7', 'a number'],
  [json({ id: 'x'.repeat(257), detail }), ofId, `"${'x'.repeat(79)}… (259)`, text(257)],
  [json({ id: '\ud800', detail }), wellFormed, '"\\ud800"', text(1)],
  [json({ id: 'a' }), noDetail, ''],
  [json(withDetail({ code: 'a/b/c' })), ofCode, '"a/b/c"', text(5)],
  [json(withDetail({ at: '2026-05-26T10:00' })), ofAt, '"2026-05-26T10:00"', text(16)],
  [json(withDetail({ at: '2026-02-30T10:00:00Z' })), ofAt, '"2026-02-30T10:00:00Z"', text(20)],
  [json(withDetail({ at: tomorrow })), ahead, json(tomorrow), text(20)],
  [json(withDetail({ at: past })), early, json(past), text(25)],
])('an invalid click is rejected with the reason: %s', (body, start, shown, logged = shown) => {
  expect(reject(body)).toEqual({ message: `${start}${shown}`, loggable: `${start}${logged}` });
});

test('a rejection names all faults, and a long click is rejected unread', () => {
  expect(reject(json(anna))).toEqual({
    message: `${ofId}{"name":"anna"}; ${ofCode}"."; ${ofAt}true`,
    loggable: `${ofId}an object; ${ofCode}${text(1)}; ${ofAt}a boolean`,
  });
  const padded = json(withDetail({ padding: 'x'.repeat(65_536) }));
  expect(reject(padded)).toEqual({ message: tooLong, loggable: tooLong });
});

test.each([
  `{"id":"event-1","__proto__":{"detail":${json(detail)},"polluted":true}}`,
  `{"id":"event-1","detail":{"__proto__":${json({ ...detail, polluted: true })}}}`,
  `{"id":"event-1","detail":${deep}}`,
])('fields of a prototype, which stays clean, and a deep detail are rejected: %s', (body) => {
  expect(reject(body)).toHaveProperty('message');
  expect('polluted' in {}).toBe(false);
});

test('any other JSON is rejected', () => {
  const isRejected = fc.property(fc.jsonValue(), (given) => {
    for (const event of [given, { id: 'event-1', detail: given }, withDetail({ at: given })]) {
      expect(reject(json(event))).toHaveProperty('message');
    }
  });

  fc.assert(isRejected);
});

test('an event with one click is no envelope, even if it has a field of that name', () => {
  for (const body of [makeClick('one', 'spring'), makeClick('one', 'spring', { clicks: 7 })]) {
    expect(readMessage(body)).toEqual({ events: [JSON.parse(body)] });
  }
});

test('each click of an envelope is read as if it had come alone, and rejected without its own id', () => {
  const others = fc.array(fc.json(), { maxLength: 5 });
  const clicks = fc.constantFrom(...makeNested(1, 'spring'), detail);
  const areRead = fc.property(others, clicks, (texts, click) => {
    const nested = [...texts.map((text) => JSON.parse(text)), click];

    const { events } = readMessage(makeEnvelope(nested));

    for (const [index, one] of nested.entries()) {
      const alone = makeEnvelope([]).replace('{"clicks":[]}', json(one));
      const expected = one?.clickId ? reject(alone) : { message: expect.any(String) };
      expect(reject(json(events[index]))).toMatchObject(expected);
    }
  });

  fc.assert(areRead);
});

test("an envelope's other fields are not copied to each of its clicks", () => {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 0]));

  const { events } = readMessage(
    json({ ...fields, id: 'event-1', detail: { clicks: makeNested(2, 'spring') } }),
  );

  for (const event of events) expect(Object.keys(Object(event))).toEqual(['id', 'detail']);
});

// An operator sees what a message says, and the log only what is well-formed.
test.each<[unknown, object, object?]>([
  [
    { id: 'event-1', detail: { code: 'spring' } },
    { clickId: 'event-1', code: 'spring' },
  ],
  [{ id: 'event-1', detail: { clickId: 'click-1' } }, { clickId: 'click-1' }],
  [{ id: 'x'.repeat(257) }, { clickId: 'x'.repeat(257) }, {}],
  [{ id: 'anna@a.b', detail: { code: 'a b' } }, { clickId: 'anna@a.b', code: 'a b' }, {}],
  [{ id: 'a\nb', detail: { code: 'ab\n' } }, { clickId: 'a\nb', code: 'ab\n' }, {}],
  [null, {}],
])('the id and the code of %j, valid or not, are found', (event, found, logged = found) => {
  expect(identifyClick(json(event))).toEqual(found);
  expect(identifyLoggable(event)).toEqual(logged);
  expect(identifyClick('click!')).toEqual({});
});

test('a click adds one to its link, which must exist, and to its day, breakdowns and campaigns', () => {
  const meta = { PK: 'LINK#spring', SK: 'META' };
  const key = { PK: 'LINK#spring', SK: 'STAT#2026-05-26' };
  const at = '2026-05-26T10:00:00.000Z';
  const counted = {
    id: 'click-1',
    code: 'spring',
    at,
    day: '2026-05-26',
    breakdowns: ['vh', 'h10'],
    counters: ['s0', 'mo', 'cn'],
  };
  const campaigns = { PK: 'LINK#spring', SK: 'UTM#2026-05-26' };
  const bounds = { since: { atMost: at }, deletedAt: { atLeast: '2026-05-26T09:59:00.000Z' } };

  expect(clickEffects(counted)).toEqual({
    increments: [
      { key: meta, attribute: 'clicks', by: 1, mustExist: true, bounds },
      { key: meta, attribute: 'vh', by: 1 },
      ...['count', 'vh', 'h10', 'utm'].map((attribute) => ({ key, attribute, by: 1 })),
      ...['s0', 'mo', 'cn'].map((attribute) => ({ key: campaigns, attribute, by: 1 })),
    ],
  });
  const effects = clickEffects({ ...counted, counters: [] });
  expect(effects.increments?.map(({ attribute }) => attribute)).not.toContain('utm');
});
