// What a Lambda function never needs of its packages, and what stands in for it in the bundles.
// docs/performance.md ("Init") says what that saves.
module.exports = {
  semver: './lib/bundle/no-semver.ts',
  '@aws-sdk/credential-provider-node': './lib/bundle/lambda-credentials.ts',
  '@smithy/core/event-streams': './lib/bundle/no-event-streams.ts',
};
