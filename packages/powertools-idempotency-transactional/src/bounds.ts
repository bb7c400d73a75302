import type { IncrementAction, Item } from './entry.ts';

/** What an attribute of an item must be, if the item has it. */
interface Bound {
  attribute: string;
  operator: '<=' | '>=';
  value: string;
}

/** The bounds of an action's increments. */
export function boundsOf({ increments }: IncrementAction): Bound[] {
  return increments.flatMap(({ bounds = {} }) =>
    Object.entries(bounds).flatMap(([attribute, { atMost, atLeast }]): Bound[] => [
      ...(atMost === undefined ? [] : [{ attribute, operator: '<=' as const, value: atMost }]),
      ...(atLeast === undefined ? [] : [{ attribute, operator: '>=' as const, value: atLeast }]),
    ]),
  );
}

/** The strictest bound of each attribute and operator. */
export function strictestOf(bounds: Bound[]): Bound[] {
  const strictest = new Map<string, Bound>();
  for (const bound of bounds) {
    const side = `${bound.operator}${bound.attribute}`;
    const known = strictest.get(side);
    if (!known || !holds(known.value, bound)) strictest.set(side, bound);
  }
  return [...strictest.values()];
}

/** Whether each attribute that an item has is within its bounds. */
export function isWithin(item: Item, bounds: Bound[]): boolean {
  return bounds.every((bound) => {
    const stored = item[bound.attribute];
    // DynamoDB's comparisons with another type are false.
    return stored === undefined || (stored.S !== undefined && holds(stored.S, bound));
  });
}

// DynamoDB compares strings by their UTF-8 bytes.
function holds(text: string, { operator, value }: Bound): boolean {
  const order = Buffer.compare(Buffer.from(text), Buffer.from(value));
  return operator === '<=' ? order <= 0 : order >= 0;
}
