/**
 * Stands in the bundles for the package semver, which the X-Ray SDK loads, 29 kB, for one check:
 * whether version 2 of the AWS SDK is new enough to be traced. Version 3 needs none.
 */
export function gte(): never {
  throw new Error('expected a client of the AWS SDK version 3; version 2 cannot be traced');
}
