/**
 * Replaces the semver package (29 kB) in the bundles. The X-Ray SDK loads it only to check the
 * version of an AWS SDK 2 client, which this service doesn't use.
 */
export function gte() {
    throw new Error("expected an AWS SDK 3 client; got an AWS SDK 2 client, which can't be traced. Use AWS SDK 3.");
}
