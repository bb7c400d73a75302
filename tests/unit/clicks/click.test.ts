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
const expectedId = 'expected "id" to be a string of at most 256 characters';
const expectedCode = 'expected "detail.code" to be 4 to 32 letters, digits, "-" or "_"';
const expectedInstant =
  'expected "detail.at" to be an ISO 8601 instant with a zone, such as 2026-05-26T10:00:00Z';

describe('parseClick reads a click', () => {
  test('from the bare form', () => {
    expect(parse({ id: 'event-1', detail })).toEqual({
      id: 'event-1',
      code: 'spring',
      day: '2026-05-26',
      breakdowns: expect.arrayContaining(['vu', 'du', 'ru', 'h10']),
    });
  });

  test("from EventBridge's envelope", () => {
    const envelope = {
      version: '0',
      id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
      'detail-type': 'link.clicked',
      source: 'click-tally',
      account: '123456789012',
      time: '2026-05-26T10:00:01Z',
      region: 'eu-west-1',
      resources: [],
      detail: { clickId: '0196f0d2-6a3e-7c33-9d4b-0e6c2a1f1a11', ...detail },
    };

    expect(parse(envelope)).toEqual({
      id: '0196f0d2-6a3e-7c33-9d4b-0e6c2a1f1a11',
      code: 'spring',
      day: '2026-05-26',
      breakdowns: expect.arrayContaining(['vu', 'du', 'ru', 'h10']),
    });
  });

  test("under the event's id if the producer's is empty", () => {
    expect(parse(withDetail({ clickId: '' })).id).toBe('event-1');
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

describe('parseClick rejects an invalid click with the reason', () => {
  test.each([
    ['not JSON', 'click!', 'expected the message to be JSON; got "click!"'],
    ['an empty message', '', 'expected the message to be JSON; got ""'],
    ['JSON but not an object', '[1]', 'expected the message to be an object; got [1]'],
    ['null', 'null', 'expected the message to be an object; got null'],
  ])('%s', (_, body, message) => {
    expect(() => parseClick(body, now)).toThrow(new InvalidClickError(message));
  });

  test.each([
    ['no id', { detail }, 'expected id or detail.clickId; got neither'],
    ['an empty id', { id: '', detail }, 'expected id or detail.clickId; got neither'],
    ['a number as id', { id: 7, detail }, `${expectedId}; got 7`],
    [
      'an id of 257 characters',
      { id: 'x'.repeat(257), detail },
      `${expectedId}; got "${'x'.repeat(79)}… (259)`,
    ],
    [
      'an id that UTF-8 would change',
      { id: '\ud800', detail },
      'expected "id" to be well-formed Unicode; got "\\ud800"',
    ],
    ['no detail', { id: 'event-1' }, 'expected "detail" to be an object; got nothing'],
    ['no code', withDetail({ code: undefined }), `${expectedCode}; got nothing`],
    ['a code that cannot be a link', withDetail({ code: 'a/b/c' }), `${expectedCode}; got "a/b/c"`],
    [
      'a code of 33 characters',
      withDetail({ code: 'x'.repeat(33) }),
      `${expectedCode}; got "${'x'.repeat(33)}"`,
    ],
    ['no instant', withDetail({ at: undefined }), `${expectedInstant}; got nothing`],
    [
      'an instant without a zone',
      withDetail({ at: '2026-05-26T10:00:00' }),
      `${expectedInstant}; got "2026-05-26T10:00:00"`,
    ],
    [
      'a day that does not exist',
      withDetail({ at: '2026-02-30T10:00:00Z' }),
      `${expectedInstant}; got "2026-02-30T10:00:00Z"`,
    ],
    ['epoch milliseconds', withDetail({ at: now }), `${expectedInstant}; got 1779796800000`],
    [
      'an instant more than 24 hours ahead',
      withDetail({ at: '2026-05-27T12:00:01Z' }),
      'expected "detail.at" to be at most 24 hours ahead; got "2026-05-27T12:00:01Z"',
    ],
    [
      'an instant before 1970',
      withDetail({ at: '0000-01-01T00:00:00+14:00' }),
      'expected "detail.at" to be in 1970 or later; got "0000-01-01T00:00:00+14:00"',
    ],
    [
      'several invalid fields',
      withDetail({ code: 'a', at: 'noon' }),
      `${expectedCode}; got "a"; ${expectedInstant}; got "noon"`,
    ],
  ])('%s', (_, event, message) => {
    expect(() => parse(event)).toThrow(new InvalidClickError(message));
  });

  const deep = '['.repeat(30_000) + ']'.repeat(30_000);

  test.each([
    [
      'arrays that are never closed',
      '['.repeat(50_000),
      `expected the message to be JSON; got "${'['.repeat(79)}… (50002)`,
    ],
    ['nested arrays', deep, 'expected the message to be an object; got a deeply nested object'],
    [
      'a deeply nested detail',
      `{"id":"event-1","detail":${deep}}`,
      'expected "detail" to be an object; got a deeply nested object',
    ],
  ])('%s', (_, body, message) => {
    expect(() => parseClick(body, now)).toThrow(new InvalidClickError(message));
  });

  test.each([
    `{"id":"event-1","__proto__":{"detail":${JSON.stringify(detail)},"polluted":true}}`,
    `{"id":"event-1","detail":{"__proto__":${JSON.stringify({ ...detail, polluted: true })}}}`,
  ])('fields of a prototype, which stays clean: %s', (body) => {
    expect(() => parseClick(body, now)).toThrow(InvalidClickError);
    expect('polluted' in {}).toBe(false);
  });

  test('any other JSON', () => {
    const refuse = (event: unknown) => {
      expect(() => parse(event)).toThrow(InvalidClickError);
    };

    fc.assert(fc.property(fc.jsonValue(), refuse));
    fc.assert(fc.property(fc.jsonValue(), (given) => refuse({ id: 'event-1', detail: given })));
    fc.assert(fc.property(fc.jsonValue(), (at) => refuse(withDetail({ at }))));
  });

  test('but accepts an id of 256 characters', () => {
    expect(parse({ id: 'x'.repeat(256), detail }).id).toHaveLength(256);
  });
});

test.each([
  ['{"id":"event-1","detail":{"code":"spring"}}', { clickId: 'event-1', code: 'spring' }],
  ['{"id":"event-1","detail":{"clickId":"click-1"}}', { clickId: 'click-1' }],
  ['{"id":"event-1"}', { clickId: 'event-1' }],
  ['{"id":7,"detail":{"code":["spring"]}}', {}],
  ['null', {}],
  ['click!', {}],
])('identifyClick finds the id and code of a message, valid or not: %s', (body, identity) => {
  expect(identifyClick(body)).toEqual(identity);
});

describe('identifyLoggable finds an id and a code only if they are well-formed', () => {
  test.each([
    ['{"id":"event-1","detail":{"code":"spring"}}', { clickId: 'event-1', code: 'spring' }],
    [
      '{"detail":{"clickId":"0196f0d2-6a3e-7c33-9d4b-0e6c2a1f1a11.7.127"}}',
      { clickId: '0196f0d2-6a3e-7c33-9d4b-0e6c2a1f1a11.7.127' },
    ],
    [`{"id":"${'x'.repeat(256)}"}`, { clickId: 'x'.repeat(256) }],
    [`{"id":"${'x'.repeat(257)}"}`, {}],
    ['{"id":"anna@example.com","detail":{"code":"a b"}}', {}],
    ['{"id":"https://example.com/?token=1","detail":{"code":"spring"}}', { code: 'spring' }],
    ['{"id":"a\\nb","detail":{"code":"spring\\n"}}', {}],
    ['{"id":7,"detail":{"code":["spring"]}}', {}],
    ['click!', {}],
  ])('%s', (body, identity) => {
    expect(identifyLoggable(body)).toEqual(identity);
  });
});

const loggableOf = (body: string) => {
  try {
    return parseClick(body, now);
  } catch (error) {
    return (error as InvalidClickError).loggable;
  }
};

test.each([
  [
    'not JSON',
    'anna@example.com',
    'expected the message to be JSON; got a string of 16 characters',
  ],
  ['a list', '["anna@example.com"]', 'expected the message to be an object; got a list of 1'],
  ['null', 'null', 'expected the message to be an object; got null'],
  [
    'too long',
    `{"id":"anna@example.com","padding":"${'x'.repeat(65_536)}"}`,
    'expected the message to have at most 65536 bytes; got 65574',
  ],
  [
    'invalid fields',
    '{"id":{"name":"anna"},"detail":{"code":"anna@example.com","at":true}}',
    `${expectedId}; got an object; ${expectedCode}; got a string of 16 characters; ${expectedInstant}; got a boolean`,
  ],
  ['no fields', '{"detail":{}}', `${expectedCode}; got nothing; ${expectedInstant}; got nothing`],
  [
    'a time too far ahead',
    '{"id":"event-1","detail":{"code":"spring","at":"2027-01-01T00:00:00Z"}}',
    'expected "detail.at" to be at most 24 hours ahead; got a string of 20 characters',
  ],
  [
    'no id',
    '{"detail":{"code":"spring","at":"2026-05-26T10:00:00Z"}}',
    'expected id or detail.clickId; got neither',
  ],
])(
  "the log shows only the type and length of an invalid click's values: %s",
  (_, body, loggable) => {
    expect(loggableOf(body)).toBe(loggable);
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
