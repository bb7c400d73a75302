/** A property of any value; undefined for a value without it. */
export function readField(value: unknown, name: string): unknown {
  const fields: Record<string, unknown> = Object(value);
  return fields[name];
}
