import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** DynamoDB bills the index entry of each item. */
export const overheadBytes = 100;

/**
 * The bytes for which DynamoDB bills the storage of a marker or a page, whose attributes are
 * strings, numbers and binaries.
 *
 * @throws {TypeError} for an attribute of another type.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function storedBytes(item: Record<string, AttributeValue>): number {
  const attributes = Object.entries(item);
  return attributes.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    overheadBytes,
  );
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return value.B.byteLength;
  if (value.N !== undefined) return numberBytes(value.N);
  throw new TypeError(`expected a string, a number or a binary; got ${Object.keys(value)}`);
}

// One byte, and one for each two digits without the zeros at both ends.
function numberBytes(text: string): number {
  const digits = text.replaceAll(/^[-0.]+|\./g, '').replace(/0+$/, '');
  return 1 + Math.ceil(digits.length / 2);
}
