// Browsers must trust the content type instead of guessing it.
const noSniffing = { 'x-content-type-options': 'nosniff' };

/** Headers for every response except redirects. Other sites don't learn our pages' addresses. */
export const protectiveHeaders = { ...noSniffing, 'referrer-policy': 'no-referrer' };

/**
 * Headers for redirects. The policy applies to the request to the destination, whose referrer is
 * the page with the link (https://fetch.spec.whatwg.org/#http-redirect-fetch). This policy is the
 * browsers' default, so a destination still learns which site a visitor comes from. It can only
 * shorten a referrer: if the page doesn't send one, neither does the redirect. If the page sends
 * its full URL, the destination gets its origin.
 */
export const redirectHeaders = {
  ...noSniffing,
  'referrer-policy': 'strict-origin-when-cross-origin',
};
