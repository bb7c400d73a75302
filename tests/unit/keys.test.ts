import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotAttribute } from '../../lib/idempotency/index.ts';
import {
  clickKeyPrefix,
  clickMarkerKey,
  clickPageKey,
  clickPlace,
  connectionKey,
  dayKey,
  linkKey,
  ownerDayKey,
  placedClickId,
  watchKey,
} from '../../lib/keys.ts';

const producer = '019e63ba-1500-7a1c-9d3e-5f0b6c2d8e41';
const placeOf = (id: string) => clickPlace(`${clickKeyPrefix}#${id}`);

/** What marks a click: an attribute of a page, or an item of its own. */
function markOf(id: string): string {
  const place = placeOf(id);
  return JSON.stringify(
    place
      ? [place.key.PK, place.key.SK, slotAttribute(place.slot)]
      : Object.values(clickMarkerKey(`${clickKeyPrefix}#${id}`)),
  );
}

// Stored items keep these keys, so they must never change.
test.each([
  ['a link', () => linkKey('code'), 'LINK#code', 'META'],
  ["a link's day", () => dayKey('code', '2026-05-26'), 'LINK#code', 'STAT#2026-05-26'],
  ["an owner's day", () => ownerDayKey('ann', '2026-05-26'), 'OWNER#ann', 'LINKS#2026-05-26'],
  ['a connection', () => connectionKey('c1'), 'CONNECTION#c1', 'CONNECTION'],
  ['a watch', () => watchKey('code', 'c1'), 'WATCH#code', 'CONNECTION#c1'],
  ['a marker', () => clickMarkerKey('CLICK#id'), 'CLICK#id', 'CLICK'],
])('the key of %s', (_, key, PK, SK) => {
  expect(key()).toEqual({ PK, SK });
});

describe('the place of a click id', () => {
  test.each([
    [0, 0],
    [0, 127],
    [999_999_999, 12],
  ])('for page %i, slot %i is there', (page, slot) => {
    expect(placeOf(placedClickId(producer, page, slot))).toEqual({
      key: clickPageKey(producer, page),
      slot,
    });
  });

  test('is on a page whose key names producer and page', () => {
    expect(placeOf(`${producer}.7.12`)).toEqual({
      key: { PK: `CLICKS#${producer}#7`, SK: 'CLICK' },
      slot: 12,
    });
  });

  test.each([
    ['no slot', `${producer}.0`],
    ['slot 128', `${producer}.0.128`],
    ['a slot of four digits', `${producer}.0.1000`],
    ['a slot with a leading zero', `${producer}.0.01`],
    ['a negative slot', `${producer}.0.-1`],
    ['an empty slot', `${producer}.0.`],
    ['a page with a leading zero', `${producer}.00.1`],
    ['a page of ten digits', `${producer}.1000000000.1`],
    ['a UUID in upper case', `${producer.toUpperCase()}.0.1`],
    ['a producer that is no UUID', 'producer.0.1'],
    ['a UUID without dashes', `${producer.replaceAll('-', '')}.0.1`],
    ['a line break behind it', `${producer}.0.1\n`],
    ['something in front of it', `x${producer}.0.1`],
    ['a fourth part', `${producer}.0.1.1`],
    ['no place at all', 'fixed-test-id-xyz'],
  ])('does not exist for an id with %s', (_, id) => {
    expect(placeOf(id)).toBeUndefined();
  });

  test('does not exist for the key of something else than a click', () => {
    expect(clickPlace(`ORDER#${producer}.0.1`)).toBeUndefined();
  });
});

interface Parts {
  producer: string;
  page: number;
  slot: number;
}

// The ids that could meet are those that look alike.
const spellings: ((parts: Parts) => string)[] = [
  ({ producer, page, slot }) => placedClickId(producer, page, slot),
  ({ producer, page, slot }) => placedClickId(producer.toUpperCase(), page, slot),
  ({ producer, page, slot }) => placedClickId(producer.replaceAll(/[0-8]/g, '9'), page, slot),
  ({ producer, page, slot }) => placedClickId(producer, page + 1, slot),
  ({ producer, page, slot }) => placedClickId(producer, page, slot + 1),
  ({ producer, page, slot }) => placedClickId(producer, page, slot + 128),
  ({ producer, page, slot }) => placedClickId(producer, page + 1_000_000_000, slot),
  ({ producer, page, slot }) => `${producer}.0${page}.${slot}`,
  ({ producer, page, slot }) => `${producer}.${page}.0${slot}`,
  ({ producer, page, slot }) => `${producer}.${page}.${slot}.${slot}`,
  ({ producer, page, slot }) => `${producer}.${page}.${slot}\n`,
  ({ producer, page, slot }) => `${producer}#${page}#${slot}`,
  ({ producer, page, slot }) => `CLICK#${producer}.${page}.${slot}`,
  ({ producer, page }) => `${producer}#${page}`,
  ({ producer, page }) => `S#${producer}#${page}`,
];
const parts = fc.record({
  producer: fc.uuid(),
  page: fc.nat({ max: 1_000_000_000 }),
  slot: fc.nat({ max: 130 }),
});
const spelling = fc.constantFrom(...spellings);
const alike = fc
  .tuple(parts, spelling, spelling)
  .map(([these, one, other]) => [one(these), other(these)] as const);
const anyId = fc.oneof(
  fc.string({ unit: 'binary' }),
  alike.map(([id]) => id),
);
const pairs = fc.oneof({ weight: 9, arbitrary: alike }, fc.tuple(anyId, anyId));

test('click id and mark are one to one, whoever minted the id', () => {
  const isOneToOne = fc.property(pairs, ([one, other]) => {
    expect(markOf(one) === markOf(other)).toBe(one === other);
  });

  fc.assert(isOneToOne, { numRuns: 10_000 });
});

test('no marker of its own has the key of a page', () => {
  const isApart = fc.property(parts, spelling, (these, spell) => {
    const pageKey = clickPageKey(these.producer, these.page);
    expect(clickMarkerKey(`${clickKeyPrefix}#${spell(these)}`)).not.toEqual(pageKey);
  });

  fc.assert(isApart, { numRuns: 1_000 });
});
