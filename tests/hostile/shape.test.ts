import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listPlaces, readShape } from './shape.ts';

const rows = z.array(
  z.object({ key: z.string(), tags: z.optional(z.array(z.string()).check(z.maxLength(2))) }),
);
const schema = z.object({
  rows: z.nullish(rows.check(z.maxLength(3))),
  choice: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), inner: z.object({ x: z._default(z.number(), 1) }) }),
    z.object({
      kind: z.literal('b'),
      list: z.pipe(
        z.array(z.string()),
        z.transform((list: string[]) => list.length),
      ),
    }),
  ]),
});
const example = {
  rows: [{ key: 'row-#', tags: ['a'] }],
  choice: { kind: 'a', inner: { x: 2 }, list: ['b'] },
};
const list = (given: object = example, bytes = 1_000) =>
  listPlaces(readShape(schema), given, bytes);

test('hostile values reach every field of a schema, and the elements of its arrays', () => {
  expect(list().map(({ path }) => path)).toEqual([
    ...['', 'rows', 'rows[]', 'rows[].key', 'rows[].tags', 'rows[].tags[]'],
    ...['choice', 'choice.kind', 'choice.inner', 'choice.inner.x', 'choice.list', 'choice.list[]'],
  ]);
});

test('an array has a hostile value in each element, as many as the schema permits', () => {
  const place = list().find(({ path }) => path === 'rows[].tags');

  const { rows: found } = JSON.parse(place?.embed('"worst"') ?? '');

  expect(found).toHaveLength(3);
  expect(found.map(({ tags }: { tags: string }) => tags)).toEqual(['worst', 'worst', 'worst']);
  expect(new Set(found.map(({ key }: { key: string }) => key)).size).toBe(3);
});

test('an array has fewer elements if more would exceed the limit of the whole request', () => {
  const place = list(example, 900).find(({ path }) => path === 'rows[].key');

  const { rows: found } = JSON.parse(place?.embed(JSON.stringify('语'.repeat(100))) ?? '');

  expect(found).toHaveLength(2);
});

test.each([
  ['a field', { ...example, rows: undefined }, '.rows'],
  ['a field of an element', { ...example, rows: [{ key: 'a' }] }, 'rows[].tags'],
  ['a field of a choice', { ...example, choice: { kind: 'b', list: ['b'] } }, 'choice.inner'],
])('%s without an example is an error', (_, given, place) => {
  expect(() => list(given)).toThrow(`expected an example of ${place}`);
});

test('fields that a schema keeps for other code need an example', () => {
  const shape = readShape(z.object({ detail: z.looseObject({ code: z.string() }) }));

  expect(() => listPlaces(shape, { detail: { code: 'a' } }, 100)).toThrow('an example of detail');
  expect(listPlaces(shape, { detail: { code: 'a', more: 'b' } }, 100)).toHaveLength(4);
});

test('a schema of an unknown kind is an error', () => {
  expect(() => readShape(z.record(z.string(), z.string()))).toThrow('the shape of a record');
});
