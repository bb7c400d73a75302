import type { Item } from '../../../fixtures/dynamodb-items.ts';

/** A text of an item; empty if it is none. */
export function textOf(item: Item, attribute: string): string {
  const value = item[attribute];
  return value && 'S' in value ? value.S : '';
}

/** A number of an item; NaN if it is none. */
export function numberOf(item: Item, attribute: string): number {
  const value = item[attribute];
  return value && 'N' in value ? Number(value.N) : Number.NaN;
}
