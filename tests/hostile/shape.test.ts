import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listPlaces, readShape } from './shape.ts';

// If hostile values missed a field, no other test would notice.
const rows = z.array(
  z.object({ key: z.string(), tags: z.optional(z.array(z.string()).check(z.maxLength(2))) }),
);
const size = z.transform((list: string[]) => list.length);
const schema = z.object({
  rows: z.nullish(rows.check(z.maxLength(3))),
  choice: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), inner: z.object({ x: z._default(z.number(), 1) }) }),
    z.object({ kind: z.literal('b'), list: z.pipe(z.array(z.string()), size) }),
  ]),
  detail: z.looseObject({ code: z.string() }),
});
const example = {
  rows: [{ key: 'row-#', tags: ['a'] }],
  choice: { kind: 'a', inner: { x: 2 }, list: ['b'] },
  detail: { code: 'a', more: 'b' },
};
const list = (given: object = example, bytes = 1_000) =>
  listPlaces(readShape(schema), given, bytes);

test('hostile values reach every field of a schema, and the elements of its arrays', () => {
  expect(list().map(({ path }) => path)).toEqual([
    ...['', 'rows', 'rows[]', 'rows[].key', 'rows[].tags', 'rows[].tags[]'],
    ...['choice', 'choice.kind', 'choice.inner', 'choice.inner.x', 'choice.list', 'choice.list[]'],
    ...['detail', 'detail.code', 'detail.more'],
  ]);
});

test.each([
  ['as many as the schema permits', '"worst"', 1_000, 3],
  ['or as fit into the request', JSON.stringify('语'.repeat(100)), 900, 2],
])('an array has a hostile value in each element, %s', (_, json, bytes, count) => {
  const place = list(example, bytes).find(({ path }) => path === 'rows[].tags');

  const { rows: found } = JSON.parse(place?.embed(json) ?? '');

  expect(found.map(({ tags }: { tags: string }) => tags)).toEqual(
    Array(count).fill(JSON.parse(json)),
  );
  expect(new Set(found.map(({ key }: { key: string }) => key)).size).toBe(count);
});

test.each([
  ['.rows', { ...example, rows: undefined }],
  ['rows[].tags', { ...example, rows: [{ key: 'a' }] }],
  ['choice.inner', { ...example, choice: { kind: 'b', list: ['b'] } }],
  ['detail.', { ...example, detail: { code: 'a' } }],
])('without an example of %s, nothing is listed', (place, given) => {
  expect(() => list(given)).toThrow(`expected an example of ${place}`);
});
