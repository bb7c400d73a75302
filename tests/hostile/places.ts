import * as z from 'zod/v4/core';

/** A place for a hostile value in a request's JSON. */
interface Place {
  /** Whether it is in an array. */
  isInArray: boolean;
  /** The valid value there. */
  valid: unknown;
  /** The request's JSON with this JSON at the place, in each element of an array that has room for it. */
  embed: (json: string) => string;
}

interface Limits {
  bytes: number;
  /** The most elements of an array. */
  items: number;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const mark = 'the place';
const markJson = JSON.stringify(mark);

/** All places of an example, whose arrays have one element, and the example with full arrays. */
export function listPlaces(example: object, limits: Limits): Place[] {
  const list = (value: Json, isInArray: boolean, put: (marked: Json) => Json): Place[] => [
    { isInArray, valid: value, embed: (json) => fillExample(put(mark), limits, json) },
    ...(Array.isArray(value)
      ? value.flatMap((element) => list(element, true, (marked) => put([marked])))
      : Object.entries(typeof value === 'object' ? (value ?? {}) : {}).flatMap(([name, inner]) =>
          list(inner, isInArray, (marked) => put({ ...(value as object), [name]: marked })),
        )),
  ];
  return list(example as Json, false, (marked) => marked);
}

let lastNumber = 0;

/** Keys and codes must differ, so each # becomes a number that no other text has. */
function nextNumber(): string {
  lastNumber += 1;
  return lastNumber.toString(36);
}

/** The example as JSON, with arrays that fill these limits, or have one element, and JSON at its mark. */
export function fillExample(
  example: unknown,
  { bytes, items }: Limits = { bytes: 0, items: 1 },
  json = markJson,
): string {
  const filled = JSON.stringify(example, (_, value) => {
    if (!Array.isArray(value) || value.length === 0) return value;
    const element = JSON.stringify(value[0]).replace(markJson, () => json);
    // The numbers in place of # take some of the room.
    const fitting = Math.floor((bytes * 0.95) / (Buffer.byteLength(element) + 1));
    return Array(Math.max(1, Math.min(items, fitting))).fill(value[0]);
  });
  return filled.replaceAll(markJson, () => json).replaceAll('#', nextNumber);
}

/** Throws if an example lacks a field of a schema, so a new field needs an example. */
export function checkExample(schema: z.$ZodType, example: object): void {
  const given = JSON.stringify(example);
  const names: string[] = [];
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), (key, value) => {
    if (key === 'properties') names.push(...Object.keys(value));
    return value;
  });
  const missing = names.filter((name) => !given.includes(`"${name}":`));
  if (missing.length > 0) throw new Error(`expected an example of ${missing.join()}; got ${given}`);
}
