import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clickEffects,
  InvalidClickError,
  identifyClick,
  identifyLoggable,
  parseClick,
} from '../../../lib/clicks/click.ts';

const now = Date.parse('2026-05-26T12:00:00Z');
const detail = { code: 'spring', at: '2026-05-26T10:00:00Z' };
const parse = (event: unknown) => parseClick(JSON.stringify(event), now);
const withDetail = (changes: object) => ({ id: 'event-1', detail: { ...detail, ...changes } });

/** The refusal of a message: for an operator, and for the log. */
function refuse(body: string) {
  try {
    return { accepted: parseClick(body, now) };
  } catch (error) {
    if (!(error instanceof InvalidClickError)) throw error;
    return { message: error.message, loggable: error.loggable };
  }
}

const ofId = 'expected "id" to be a string of at most 256 characters; got ';
const ofCode = 'expected "detail.code" to be 4 to 32 letters, digits, "-" or "_"; got ';
const ofAt =
  'expected "detail.at" to be an ISO 8601 instant with a zone, such as 2026-05-26T10:00:00Z; got ';
const ofMessage = 'expected the message to be an object; got ';
const ofJson = 'expected the message to be JSON; got ';

describe('a click is read', () => {
  const click = {
    ...{ id: 'event-1', code: 'spring', day: '2026-05-26' },
    breakdowns: expect.arrayContaining(['vu', 'du', 'ru', 'h10']),
  };
  const clickId = '0196f0d2-6a3e-7c33-9d4b-0e6c2a1f1a11';
  const envelope = {
    ...{ version: '0', 'detail-type': 'link.clicked', source: 'click-tally', resources: [] },
    ...{ account: '123456789012', time: '2026-05-26T10:00:01Z', region: 'eu-west-1' },
  };

  test.each([
    ['from the bare form', { id: 'event-1', detail }, click],
    [
      "from EventBridge's envelope",
      { ...envelope, id: 'event-1', detail: { clickId, ...detail } },
      { ...click, id: clickId },
    ],
    ["under the event's id if the producer's is empty", withDetail({ clickId: '' }), click],
    ['with an id of 256 characters', { id: 'x'.repeat(256), detail }, { id: 'x'.repeat(256) }],
  ])('%s', (_, event, expected) => {
    expect(parse(event)).toMatchObject(expected);
  });

  test.each([
    ['2026-05-26T00:30:00+02:00', '2026-05-25'],
    ['2026-05-25T23:30:00-01:00', '2026-05-26'],
    ['2026-05-26T10:00:00.123456Z', '2026-05-26'],
    ['2024-02-29T23:59:59Z', '2024-02-29'],
    ['2026-05-27T12:00:00Z', '2026-05-27'],
    ['1970-01-01T00:00:00Z', '1970-01-01'],
  ])('on the UTC day of %s: %s', (at, day) => {
    expect(parse(withDetail({ at })).day).toBe(day);
  });
});

describe('an invalid click is refused with the reason, and the log has only types and lengths', () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000);

  test.each([
    ['click!', `${ofJson}"click!"`, `${ofJson}a string of 6 characters`],
    ['', `${ofJson}""`, `${ofJson}a string of 0 characters`],
    ['[1]', `${ofMessage}[1]`, `${ofMessage}a list of 1`],
    ['null', `${ofMessage}null`, `${ofMessage}null`],
    [
      '['.repeat(50_000),
      `${ofJson}"${'['.repeat(79)}… (50002)`,
      `${ofJson}a string of 50000 characters`,
    ],
    [deep, `${ofMessage}a deeply nested object`, `${ofMessage}a list of 1`],
  ])('%s', (body, message, loggable) => {
    expect(refuse(body)).toEqual({ message, loggable });
  });

  const ahead = 'expected "detail.at" to be at most 24 hours ahead; got ';
  const neither = 'expected id or detail.clickId; got neither';

  test.each([
    [{ detail }, neither, neither],
    [{ id: '', detail }, neither, neither],
    [{ id: 7, detail }, `${ofId}7`, `${ofId}a number`],
    [
      { id: 'x'.repeat(257), detail },
      `${ofId}"${'x'.repeat(79)}… (259)`,
      `${ofId}a string of 257 characters`,
    ],
    [
      { id: '\ud800', detail },
      'expected "id" to be well-formed Unicode; got "\\ud800"',
      'expected "id" to be well-formed Unicode; got a string of 1 characters',
    ],
    [{ id: 'a' }, 'expected "detail" to be an object; got nothing', expect.anything()],
    [withDetail({ code: undefined }), `${ofCode}nothing`, `${ofCode}nothing`],
    [withDetail({ code: 'a/b/c' }), `${ofCode}"a/b/c"`, `${ofCode}a string of 5 characters`],
    [withDetail({ code: 'x'.repeat(33) }), `${ofCode}"${'x'.repeat(33)}"`, expect.anything()],
    [withDetail({ at: undefined }), `${ofAt}nothing`, `${ofAt}nothing`],
    [withDetail({ at: '2026-05-26T10:00' }), `${ofAt}"2026-05-26T10:00"`, expect.anything()],
    [
      withDetail({ at: '2026-02-30T10:00:00Z' }),
      `${ofAt}"2026-02-30T10:00:00Z"`,
      expect.anything(),
    ],
    [withDetail({ at: now }), `${ofAt}1779796800000`, `${ofAt}a number`],
    [
      withDetail({ at: '2026-05-27T12:00:01Z' }),
      `${ahead}"2026-05-27T12:00:01Z"`,
      `${ahead}a string of 20 characters`,
    ],
    [
      withDetail({ at: '0000-01-01T00:00:00+14:00' }),
      'expected "detail.at" to be in 1970 or later; got "0000-01-01T00:00:00+14:00"',
      'expected "detail.at" to be in 1970 or later; got a string of 25 characters',
    ],
    [
      { id: { name: 'anna' }, detail: { code: 'a', at: true } },
      `${ofId}{"name":"anna"}; ${ofCode}"a"; ${ofAt}true`,
      `${ofId}an object; ${ofCode}a string of 1 characters; ${ofAt}a boolean`,
    ],
    [
      withDetail({ padding: 'x'.repeat(65_536) }),
      expect.stringMatching(/to have at most 65536 bytes; got 65\d\d\d$/),
      expect.stringMatching(/to have at most 65536 bytes; got 65\d\d\d$/),
    ],
  ])('%j', (event, message, loggable) => {
    expect(refuse(JSON.stringify(event))).toEqual({ message, loggable });
  });

  test.each([
    `{"id":"event-1","__proto__":{"detail":${JSON.stringify(detail)},"polluted":true}}`,
    `{"id":"event-1","detail":{"__proto__":${JSON.stringify({ ...detail, polluted: true })}}}`,
    `{"id":"event-1","detail":${deep}}`,
  ])('fields of a prototype, which stays clean, and a deep detail: %s', (body) => {
    expect(refuse(body)).toHaveProperty('message');
    expect('polluted' in {}).toBe(false);
  });

  test('any other JSON', () => {
    const isRefused = fc.property(fc.jsonValue(), (given) => {
      for (const event of [given, { id: 'event-1', detail: given }, withDetail({ at: given })]) {
        expect(refuse(JSON.stringify(event))).toHaveProperty('message');
      }
    });

    fc.assert(isRefused);
  });
});

// An operator sees what a message says, and the log only what is well-formed.
test.each<[string, object, object?]>([
  ['{"id":"event-1","detail":{"code":"spring"}}', { clickId: 'event-1', code: 'spring' }],
  ['{"id":"event-1","detail":{"clickId":"click-1"}}', { clickId: 'click-1' }],
  ['{"detail":{"clickId":"0196f0d2-6a3e.7.127"}}', { clickId: '0196f0d2-6a3e.7.127' }],
  [`{"id":"${'x'.repeat(256)}"}`, { clickId: 'x'.repeat(256) }],
  [`{"id":"${'x'.repeat(257)}"}`, { clickId: 'x'.repeat(257) }, {}],
  [
    '{"id":"anna@a.example","detail":{"code":"a b"}}',
    { clickId: 'anna@a.example', code: 'a b' },
    {},
  ],
  [
    '{"id":"https://a.example/?token=1","detail":{"code":"spring"}}',
    { clickId: 'https://a.example/?token=1', code: 'spring' },
    { code: 'spring' },
  ],
  ['{"id":"a\\nb","detail":{"code":"ab\\n"}}', { clickId: 'a\nb', code: 'ab\n' }, {}],
  ['{"id":7,"detail":{"code":["spring"]}}', {}],
  ['null', {}],
  ['click!', {}],
])(
  'the id and the code of a message, valid or not, are found: %s',
  (body, found, logged = found) => {
    expect(identifyClick(body)).toEqual(found);
    expect(identifyLoggable(body)).toEqual(logged);
  },
);

test('a click adds one to its link, which must exist, and to its day and its breakdowns', () => {
  const meta = { PK: 'LINK#spring', SK: 'META' };
  const key = { PK: 'LINK#spring', SK: 'STAT#2026-05-26' };
  const click = { id: 'click-1', code: 'spring', day: '2026-05-26', breakdowns: ['vh', 'h10'] };

  expect(clickEffects(click)).toEqual({
    increments: [
      { key: meta, attribute: 'clicks', by: 1, mustExist: true },
      { key: meta, attribute: 'vh', by: 1 },
      { key, attribute: 'count', by: 1 },
      { key, attribute: 'vh', by: 1 },
      { key, attribute: 'h10', by: 1 },
    ],
  });
});
