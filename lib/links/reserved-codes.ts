/** Lower-case words that are, or may become, paths of the service. */
export const reservedCodes = ['assets', 'health', 'links', 'live', 'login', 'logout'];

/** Whether a new link may not have this code. Case-insensitive. */
export function isReserved(code: string): boolean {
  return reservedCodes.includes(code.toLowerCase());
}
