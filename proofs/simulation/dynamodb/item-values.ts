import type { Item } from '../../../fixtures/dynamodb-items.ts';

/** An item's string attribute, or an empty string. */
export function textOf(item: Item, attribute: string): string {
  const value = item[attribute];
  return value && 'S' in value ? value.S : '';
}

/** An item's number attribute, or NaN. */
export function numberOf(item: Item, attribute: string): number {
  const value = item[attribute];
  return value && 'N' in value ? Number(value.N) : Number.NaN;
}
