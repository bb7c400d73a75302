import * as z from 'zod/v4/core';

/** A place for a hostile value in a request's JSON. */
interface Place {
  /** Such as links[].url. Empty for the whole value. */
  path: string;
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

/** All places of an example, whose arrays have one element, and the example with full arrays. */
export function listPlaces(example: unknown, limits: Limits): Place[] {
  return listPaths(example).map((names) => ({
    path: names.join('.').replaceAll('.[]', '[]'),
    valid: names.reduce((value, name) => step(value, name), example),
    embed: (json) => write(example, limits, { names, json }),
  }));
}

/** The example as JSON, with arrays that fill these limits, or have one element. */
export function fillExample(example: unknown, limits: Limits = { bytes: 0, items: 1 }): string {
  return write(example, limits);
}

function step(value: unknown, name: string): unknown {
  return name === '[]' ? (value as unknown[])[0] : (value as Record<string, unknown>)[name];
}

function listPaths(value: unknown): string[][] {
  const names = Array.isArray(value)
    ? value.slice(0, 1).map(() => '[]')
    : Object.keys(typeof value === 'object' && value !== null ? value : {});
  return [
    [],
    ...names.flatMap((name) => listPaths(step(value, name)).map((path) => [name, ...path])),
  ];
}

/** A value as JSON, with this JSON at a place within it. */
function write(value: unknown, limits: Limits, at?: { names: string[]; json: string }): string {
  if (at?.names.length === 0) return at.json;
  const [first, ...names] = at?.names ?? [];
  const inner = (name: string) =>
    write(step(value, name), limits, at && first === name ? { ...at, names } : undefined);
  if (Array.isArray(value)) return value.length > 0 ? fillArray(inner('[]'), limits) : '[]';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.keys(value).map((name) => `"${name}":${inner(name)}`)}}`;
}

/** As many elements as fit. */
function fillArray(element: string, { bytes, items }: Limits): string {
  // The numbers in place of # take some of the room.
  const fitting = Math.floor((bytes * 0.95) / (Buffer.byteLength(element) + 1));
  const count = Math.max(1, Math.min(items, fitting));
  return `[${Array.from({ length: count }, () => number(element)).join()}]`;
}

let lastNumber = 0;

/** Replaces each # by a number that no other text has, because keys and codes must differ. */
function number(text: string): string {
  lastNumber += 1;
  return text.replaceAll('#', lastNumber.toString(36));
}

/**
 * Throws if an example lacks a field of a schema, so a new field needs an example. Fields that a schema
 * keeps for other code need one too.
 */
export function checkExample(schema: z.$ZodType, example: unknown): void {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const missing = findMissing(described, example, '');
  if (missing.length === 0) return;
  throw new Error(`expected an example of ${missing.join()}; got ${JSON.stringify(example)}`);
}

function findMissing(schema: z.JSONSchema._JSONSchema, value: unknown, path: string): string[] {
  if (typeof schema === 'boolean') return [];
  const { anyOf = [], oneOf = [], properties = {}, items } = schema;
  const isLoose = typeof schema.additionalProperties === 'object' && !path.endsWith('[]');
  const more = Object.keys(value ?? {}).filter((name) => !(name in properties));
  return [
    ...[...anyOf, ...oneOf].flatMap((one) => findMissing(one, value ?? {}, path)),
    ...Object.entries(properties).flatMap(([name, inner]) => {
      const given = (value as Record<string, unknown> | undefined)?.[name];
      return given === undefined
        ? [`${path}.${name}`]
        : findMissing(inner, given, `${path}.${name}`);
    }),
    ...(items && !Array.isArray(items)
      ? findMissing(items, (value as unknown[])[0], `${path}[]`)
      : []),
    ...(isLoose && Object.keys(properties).length > 0 && more.length === 0 ? [`${path}.*`] : []),
  ];
}
