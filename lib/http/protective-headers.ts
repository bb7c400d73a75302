// A browser must treat an answer as its content type, and as nothing else.
const noSniffing = { 'x-content-type-options': 'nosniff' };

/** The headers of every answer but a redirect: no other site learns the address of a page of ours. */
export const protectiveHeaders = { ...noSniffing, 'referrer-policy': 'no-referrer' };

/**
 * The headers of a redirect. Its policy becomes that of the request to the destination, whose
 * referrer is the page with the link (https://fetch.spec.whatwg.org/#http-redirect-fetch). This one
 * is the browsers' own default, so a destination learns from which site a visitor comes, as it does
 * without any policy. It can only shorten a referrer: if the page sends none, the destination gets
 * none; if it sends its full URL, the destination gets its origin.
 */
export const redirectHeaders = {
  ...noSniffing,
  'referrer-policy': 'strict-origin-when-cross-origin',
};
