/** DynamoDB bills this much extra for each item, for indexing. */
export const overheadBytes = 100;
/**
 * The billed storage of a marker or a sheet, whose attributes are strings, numbers and binaries.
 *
 * @throws {TypeError} for an attribute of another type.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function storedBytes(item) {
    const attributes = Object.entries(item);
    return attributes.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), overheadBytes);
}
function valueBytes(value) {
    if (value.S !== undefined)
        return Buffer.byteLength(value.S);
    if (value.B !== undefined)
        return value.B.byteLength;
    if (value.SS !== undefined)
        return value.SS.reduce((sum, text) => sum + 1 + Buffer.byteLength(text), 3);
    if (value.N !== undefined)
        return numberBytes(value.N);
    throw new TypeError(`expected a string, a number or a binary; got ${Object.keys(value)}`);
}
// One byte, plus one for every two significant digits.
function numberBytes(text) {
    const digits = text.replaceAll(/^[-0.]+|\./g, '').replace(/0+$/, '');
    return 1 + Math.ceil(digits.length / 2);
}
