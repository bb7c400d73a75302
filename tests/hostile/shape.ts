import type * as z from 'zod/v4/core';

/** What a schema reads of a JSON value. */
export interface Shape {
  /** An object's fields. */
  fields?: Record<string, Shape>;
  /** An array's elements. */
  element?: Shape;
  maxItems?: number;
  /** Whether an object keeps fields that the schema doesn't name, so that other code reads them. */
  isLoose?: boolean;
}

/** The shape of the values that a schema reads, from the schema itself. */
export function readShape(schema: z.$ZodType): Shape {
  const { def } = (schema as z.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return {
        fields: Object.fromEntries(
          Object.entries(def.shape).map(([name, field]) => [name, readShape(field)]),
        ),
        isLoose: def.catchall !== undefined && def.catchall._zod.def.type !== 'never',
      };
    case 'array':
      return { element: readShape(def.element), maxItems: readMaxItems(def.checks) };
    case 'optional':
    case 'nullable':
    case 'default':
      return readShape(def.innerType);
    case 'pipe':
      return merge(readShape(def.in), readShape(def.out));
    case 'union':
      return def.options.map(readShape).reduce(merge, {});
    case 'string':
    case 'boolean':
    case 'number':
    case 'enum':
    case 'literal':
    case 'transform':
      return {};
    default:
      throw new Error(`expected to know the shape of a ${def.type}; add it here`);
  }
}

/**
 * The shape that two schemas read together. The later one may read fields that the earlier one keeps, so
 * it decides whether an object is loose.
 */
export function merge(earlier: Shape, later: Shape): Shape {
  const names = Object.keys({ ...earlier.fields, ...later.fields });
  const fields = names.map((name) => [
    name,
    merge(earlier.fields?.[name] ?? {}, later.fields?.[name] ?? {}),
  ]);
  const element =
    later.element && earlier.element
      ? merge(earlier.element, later.element)
      : (later.element ?? earlier.element);
  return {
    ...(names.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(element && { element, maxItems: earlier.maxItems ?? later.maxItems }),
    isLoose: later.fields ? later.isLoose : earlier.isLoose,
  };
}

function readMaxItems(checks: readonly z.$ZodCheck[] = []): number | undefined {
  const most = checks.map(({ _zod }) => (_zod as Partial<z.$ZodCheckMaxLengthInternals>).def);
  return most.find((def) => def?.check === 'max_length')?.maximum;
}

/** A place for a hostile value in a request's JSON. */
export interface Place {
  /** Such as links[].url. Empty for the whole value. */
  path: string;
  /** The valid value there. */
  valid: unknown;
  /** The request's JSON with this JSON at the place, in each element of an array that has room for it. */
  embed: (json: string) => string;
}

/**
 * All places of a shape, and the valid example with full arrays. An example's arrays have one element.
 * Throws if the example lacks a field or has a loose object without further fields, so a new field of
 * a schema needs an example.
 */
export function listPlaces(shape: Shape, example: unknown, bytes: number, path = ''): Place[] {
  const here: Place = { path, valid: example, embed: (json) => json };
  if (shape.element) {
    const [valid] = example as unknown[];
    const fill = (json: string) => fillArray(json, shape.maxItems ?? bytes, bytes);
    const inner = listPlaces(shape.element, valid, bytes, `${path}[]`);
    return [here, ...inner.map((place) => within(place, fill))];
  }
  if (!shape.fields) return [here];
  const { fields, isLoose } = shape;
  const known = example as Record<string, unknown>;
  const missing = Object.keys(fields).filter((name) => known?.[name] === undefined);
  const others = Object.keys(known ?? {}).filter((name) => !(name in fields));
  if (missing.length > 0 || (isLoose && others.length === 0)) {
    throw new Error(`expected an example of ${path}.${missing.join()}; got ${show(example)}`);
  }
  const inner = Object.entries(known).flatMap(([name, valid]) => {
    const set = (json: string) => {
      const members = Object.entries(known).map(([other, value]) =>
        other === name ? [other, json] : [other, fillExample(fields[other] ?? {}, value, bytes)],
      );
      return `{${members.map(([other, value]) => `"${other}":${value}`).join()}}`;
    };
    const places = listPlaces(fields[name] ?? {}, valid, bytes, path ? `${path}.${name}` : name);
    return places.map((place) => within(place, set));
  });
  return [here, ...inner];
}

function within(place: Place, set: (json: string) => string): Place {
  return { ...place, embed: (json) => set(place.embed(json)) };
}

/** The example as JSON, with arrays that fill these bytes, or have one element. */
export function fillExample(shape: Shape, example: unknown, bytes = 0): string {
  if (shape.element) {
    const [valid] = example as unknown[];
    return fillArray(fillExample(shape.element, valid, bytes), shape.maxItems ?? bytes, bytes);
  }
  if (!shape.fields) return JSON.stringify(example);
  const { fields } = shape;
  const members = Object.entries(example as object).map(
    ([name, value]) => `"${name}":${fillExample(fields[name] ?? {}, value, bytes)}`,
  );
  return `{${members.join()}}`;
}

/** As many elements as fit. */
function fillArray(element: string, maxItems: number, bytes: number): string {
  // The numbers in place of # take some of the room.
  const fitting = Math.floor((bytes * 0.95) / (Buffer.byteLength(element) + 1));
  const count = Math.max(1, Math.min(maxItems, fitting));
  return `[${Array.from({ length: count }, () => number(element)).join()}]`;
}

let lastNumber = 0;

/** Replaces each # by a number that no other text has, because keys and codes must differ. */
function number(text: string): string {
  lastNumber += 1;
  return text.replaceAll('#', lastNumber.toString(36));
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
