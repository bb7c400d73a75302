/** Lower-case words that are, or may become, paths of the service. */
export const reservedCodes = ['api', 'assets', 'health', 'links', 'live', 'login', 'logout'];

/**
 * Files that browsers and crawlers ask for by themselves, and those that prove who owns a site, such as
 * MS12345678.txt, pinterest-0a1b2.html, BingSiteAuth.xml and IndexNow's <key>.txt. New ones keep appearing,
 * so these endings are reserved as a whole.
 */
const reservedFiles = [
  /\.(txt|html?|xml|json|js|webmanifest|ico)$/i,
  /^(favicon|apple-touch-icon|sitemap)[\w-]*\./i,
  /^apple-app-site-association$/i,
  /^loaderio-/i,
];

/** Whether a new link may not have this code. Case-insensitive. */
export function isReserved(code: string): boolean {
  return (
    reservedCodes.includes(code.toLowerCase()) || reservedFiles.some((file) => file.test(code))
  );
}
