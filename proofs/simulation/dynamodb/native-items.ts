import type { AttributeValue, Item } from '../../../fixtures/dynamodb-items.ts';

/** An item as the document client reads it. */
export function toNative(item: Item): Record<string, unknown> {
  const values = Object.entries(item).map(([name, value]) => [name, readValue(value)]);
  return Object.fromEntries(values);
}

function readValue(value: AttributeValue): unknown {
  if ('B' in value) return Buffer.from(value.B, 'base64');
  if ('SS' in value) return new Set(value.SS);
  if ('BOOL' in value) return value.BOOL;
  if ('L' in value) return value.L.map(readValue);
  return 'N' in value ? Number(value.N) : value.S;
}
