/** The scope that the API requires. Tests check that infra/sign-in.cjs has the same. */
export const apiScope = 'click-tally/links';
