/** Lower-case words that are, or may become, paths of the service. */
const reservedCodes = ['assets', 'health', 'links', 'live', 'login', 'logout'];

export const expectedFreeCode = `a code other than the service's own paths (${reservedCodes.join(', ')})`;

/** Whether a new link may not have this code. Case-insensitive. */
export function isReserved(code: string): boolean {
  return reservedCodes.includes(code.toLowerCase());
}
