import fc from 'fast-check';
import { slotAttribute } from 'powertools-idempotency-transactional/sheets';
import { expect, test } from 'vitest';
import { clickSlot, openSheet, placedClickId } from '../../../lib/clicks/placed-id.ts';
import { clickKeyPrefix, clickMarkerKey, clickSheetKey } from '../../../lib/keys.ts';

type Sheet = ReturnType<typeof openSheet>;

const slotOf = (id: string) => clickSlot(`${clickKeyPrefix}#${id}`);
const sheet = openSheet('the-last-seal-of-this0');

test.each([0, 1, 126, 127])("an id on a sheet has its slot %i, if it is a click's", (index) => {
  const id = placedClickId(sheet, index);

  expect(slotOf(id)).toEqual({ sheetKey: clickSheetKey(sheet.id), index });
  expect(clickSlot(`ORDER#${id}`)).toBeUndefined();
});

// Sheets are stored and ids are in flight in this form, so it must never change.
test('a sheet is derived from its seal', () => {
  // printf SEAL | openssl dgst -sha256 -binary | base64 | tr +/ -_ | cut -c 1-22
  expect(slotOf('n-LPwPVg94u-fL_ekOg1o9.0.the-last-seal-of-this0')).toEqual({
    sheetKey: { PK: 'CLICKS#n-LPwPVg94u-fL_ekOg1o9', SK: 'CLICK' },
    index: 0,
  });
});

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    /[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase(),
  );
const sealOf = ({ seals }: Sheet, slot = 1) => seals[slot] ?? '';

// Whoever sees the ids of a sheet's first slots can't predict or claim those of later ones.
test.each<[string, (sheet: Sheet) => string]>([
  ['no seal', ({ id }) => `${id}.1`],
  ['the seal of an earlier slot', (sheet) => `${sheet.id}.6.${sealOf(sheet, 5)}`],
  ['the seal of a later slot', (sheet) => `${sheet.id}.1.${sealOf(sheet, 2)}`],
  ['a longer seal', (sheet) => `${placedClickId(sheet, 1)}A`],
  ['a seal in other letters', (sheet) => `${sheet.id}.1.${swapCase(sealOf(sheet))}`],
  ['slot 128', (sheet) => `${openSheet(sheet.id).id}.128.${sealOf(sheet, 0)}`],
  ['a slot with a leading zero', (sheet) => `${sheet.id}.01.${sealOf(sheet)}`],
  ['a trailing line break', (sheet) => `${placedClickId(sheet, 1)}\n`],
  ['a prefix', (sheet) => `x${placedClickId(sheet, 1)}`],
])('an id with %s has its own marker, whether its sheet has been seen or not', (_, forge) => {
  const unknown = openSheet();
  const begun = openSheet();
  const known = openSheet();
  expect(slotOf(placedClickId(begun, 0))).toBeDefined();
  expect(slotOf(placedClickId(known, 127))).toBeDefined();

  const slots = [unknown, begun, known].map((one) => slotOf(forge(one)));

  expect(slots).toEqual([undefined, undefined, undefined]);
});

/** The attribute of a sheet, or the item, that marks a click. */
function markOf(id: string): string {
  const slot = slotOf(id);
  const own = Object.values(clickMarkerKey(`${clickKeyPrefix}#${id}`));
  // A single marker never has a sheet's key.
  expect(own).not.toContain(clickSheetKey(id.split('.')[0] ?? '').PK);
  if (!slot) return JSON.stringify(own);
  return JSON.stringify([...Object.values(slot.sheetKey), slotAttribute(slot.index)]);
}

/** Sheets with related seeds. Sealing one takes 128 hashes, so all values share these. */
const sheets = Array.from({ length: 20 }, () => openSheet());
const relatives = new Map(sheets.map((one) => [one, openSheet(one.seals[1])]));

// Only similar ids could collide.
const spellings: ((sheet: Sheet, slot: number) => string)[] = [
  placedClickId,
  (sheet, slot) => placedClickId(sheet, (slot + 1) % 128),
  (sheet, slot) => placedClickId(relatives.get(sheet) ?? sheet, slot),
  (sheet, slot) => placedClickId(sheet, slot).toUpperCase(),
  (sheet, slot) => `${placedClickId(sheet, slot)}\n`,
  (sheet, slot) => placedClickId(sheet, slot).replace('.', '.0'),
  (sheet, slot) => placedClickId(sheet, slot).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  (sheet, slot) => placedClickId(sheet, slot).replaceAll('.', '#'),
  (sheet, slot) => `CLICK#${placedClickId(sheet, slot)}`,
  ({ id }) => id,
  ({ id }) => `S#${id}`,
];
const spelling = fc.constantFrom(...spellings);
const similarIds = fc
  .tuple(fc.constantFrom(...sheets), fc.nat({ max: 127 }), spelling, spelling)
  .map(([of, slot, one, other]) => [one(of, slot), other(of, slot)] as const);
const anyId = fc.string({ unit: 'binary' });
const similarId = similarIds.map(([id]) => id);
const pairs = fc.oneof(
  { weight: 9, arbitrary: similarIds },
  fc.tuple(anyId, fc.oneof(anyId, similarId)),
);

test('click id and mark are one to one, for the ids of any producer', () => {
  const isOneToOne = fc.property(pairs, ([one, other]) => {
    expect(markOf(one) === markOf(other)).toBe(one === other);
  });

  fc.assert(isOneToOne, { numRuns: 5_000 });
});
