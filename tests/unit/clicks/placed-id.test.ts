import fc from 'fast-check';
import { slotAttribute } from 'powertools-idempotency-transactional';
import { describe, expect, test } from 'vitest';
import {
  clickSlot,
  openSheet,
  placedClickId,
  type SealedSheet,
} from '../../../lib/clicks/placed-id.ts';
import { clickKeyPrefix, clickMarkerKey, clickSheetKey } from '../../../lib/keys.ts';

const slotOf = (id: string) => clickSlot(`${clickKeyPrefix}#${id}`);
const sheet = openSheet('the-last-seal-of-this0');

/** The attribute of a sheet, or the item, that marks a click. */
function markOf(id: string): string {
  const slot = slotOf(id);
  return JSON.stringify(
    slot
      ? [slot.sheetKey.PK, slot.sheetKey.SK, slotAttribute(slot.index)]
      : Object.values(clickMarkerKey(`${clickKeyPrefix}#${id}`)),
  );
}

describe('an id on a sheet', () => {
  test.each([0, 1, 126, 127])('has slot %i of its sheet', (slot) => {
    expect(slotOf(placedClickId(sheet, slot))).toEqual({
      sheetKey: clickSheetKey(sheet.id),
      index: slot,
    });
  });

  // Sheets are stored and ids are in flight in this form, so it must never change.
  test('derives its sheet from its seal', () => {
    // printf SEAL | openssl dgst -sha256 -binary | base64 | tr +/ -_ | cut -c 1-22
    expect(slotOf('n-LPwPVg94u-fL_ekOg1o9.0.the-last-seal-of-this0')).toEqual({
      sheetKey: { PK: 'CLICKS#n-LPwPVg94u-fL_ekOg1o9', SK: 'CLICK' },
      index: 0,
    });
  });

  test('does not reveal the id of any later slot', () => {
    const [, , seal] = placedClickId(sheet, 5).split('.');
    const guesses = [6, 7, 127].flatMap((slot) => [
      `${sheet.id}.${slot}.${seal}`,
      `${sheet.id}.${slot}.${sheet.id}`,
      `${sheet.id}.${slot}.${'A'.repeat(22)}`,
    ]);

    for (const guess of guesses) expect(slotOf(guess)).toBeUndefined();
    expect(slotOf(placedClickId(sheet, 6))).toBeDefined();
  });
});

const sealOf = ({ seals }: SealedSheet, slot = 1) => seals[slot] ?? '';

describe.each<[string, (sheet: SealedSheet) => string]>([
  ['no seal', ({ id }) => `${id}.1`],
  ['another seal', (sheet) => `${sheet.id}.1.${sealOf(sheet, 2)}`],
  ['an empty seal', ({ id }) => `${id}.1.`],
  ['a longer seal', (sheet) => `${placedClickId(sheet, 1)}A`],
  ['a seal in other letters', (sheet) => `${sheet.id}.1.${swapCase(sealOf(sheet))}`],
  ['another slot', (sheet) => `${sheet.id}.2.${sealOf(sheet)}`],
  ['slot 128', (sheet) => `${openSheet(sheet.id).id}.128.${sealOf(sheet, 127)}`],
  ['a slot of four digits', (sheet) => `${sheet.id}.1000.${sealOf(sheet)}`],
  ['a slot with a leading zero', (sheet) => `${sheet.id}.01.${sealOf(sheet)}`],
  ['a negative slot', (sheet) => `${sheet.id}.-1.${sealOf(sheet)}`],
  ['a trailing line break', (sheet) => `${placedClickId(sheet, 1)}\n`],
  ['a prefix', (sheet) => `x${placedClickId(sheet, 1)}`],
  ['a fourth part', (sheet) => `${placedClickId(sheet, 1)}.1`],
  ['no slot at all', () => 'fixed-test-id-xyz'],
])('an id with %s has its own marker', (_, forge) => {
  test('on a sheet whose seals are unknown', () => {
    expect(slotOf(forge(openSheet()))).toBeUndefined();
  });

  test('on a sheet whose seals are known', () => {
    const known = openSheet();
    expect(slotOf(placedClickId(known, 127))).toBeDefined();

    expect(slotOf(forge(known))).toBeUndefined();
  });
});

test("a key that isn't a click's has no slot", () => {
  expect(clickSlot(`ORDER#${placedClickId(sheet, 1)}`)).toBeUndefined();
});

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );

interface Parts {
  sheet: SealedSheet;
  slot: number;
}

const idOf = ({ sheet, slot }: Parts) => placedClickId(sheet, slot);

/** Sheets with related seeds. Sealing one takes 128 hashes, so all values share these. */
const sealed = Array.from({ length: 20 }, () => openSheet());
const relatives = new Map(sealed.map((one) => [one, openSheet(one.seals[1])]));

// Only similar ids could collide.
const spellings: ((parts: Parts) => string)[] = [
  idOf,
  (parts) => idOf({ ...parts, slot: (parts.slot + 1) % 128 }),
  (parts) => idOf({ ...parts, sheet: relatives.get(parts.sheet) ?? parts.sheet }),
  (parts) => idOf(parts).toUpperCase(),
  (parts) => `${idOf(parts)}\n`,
  (parts) => idOf(parts).replace('.', '.0'),
  (parts) => idOf(parts).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  (parts) => idOf(parts).replaceAll('.', '#'),
  (parts) => `CLICK#${idOf(parts)}`,
  (parts) => parts.sheet.id,
  (parts) => `S#${parts.sheet.id}`,
];
const parts = fc.record({
  sheet: fc.constantFrom(...sealed),
  slot: fc.nat({ max: 127 }),
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

test('click id and mark are one to one, for the ids of any producer', () => {
  const isOneToOne = fc.property(pairs, ([one, other]) => {
    expect(markOf(one) === markOf(other)).toBe(one === other);
  });

  fc.assert(isOneToOne, { numRuns: 10_000 });
});

test("a single marker never has a sheet's key", () => {
  const isApart = fc.property(parts, spelling, (these, spell) => {
    const ownKey = clickMarkerKey(`${clickKeyPrefix}#${spell(these)}`);
    expect(ownKey).not.toEqual(clickSheetKey(these.sheet.id));
  });

  fc.assert(isApart, { numRuns: 1_000 });
});
