/** Words that are paths of the service, or may become one, in lower case. */
const reservedCodes = ['assets', 'health', 'links', 'live', 'login', 'logout'];

/** What a code is expected to be if it is reserved. */
export const expectedFreeCode = `none of the service's own paths (${reservedCodes.join(', ')})`;

/** Whether no new link may have this code, in any case. */
export function isReserved(code: string): boolean {
  return reservedCodes.includes(code.toLowerCase());
}
