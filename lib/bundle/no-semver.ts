/**
 * Replaces the package semver (29 kB) in the bundles. The X-Ray SDK loads it only to check the
 * version of an AWS SDK 2 client, and there is none.
 */
export function gte(): never {
  throw new Error('expected a client of AWS SDK 3; got one of AWS SDK 2, which cannot be traced');
}
