/**
 * What a token must permit: one's own links. infra/sign-in.cjs names it for a stage; the tests of the
 * stages and of the local stack fail if the two differ.
 */
export const apiScope = 'click-tally/links';
