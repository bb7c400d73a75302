/** Prints an item's key, whatever types it has. */
export function printKey(key: object): string {
  return JSON.stringify(key, (_name, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (!ArrayBuffer.isView(value)) return value;
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  });
}
