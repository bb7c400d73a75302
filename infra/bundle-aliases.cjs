// Replaces code that a Lambda function never needs from its packages
// (docs/costs-and-speed.md#the-redirect).
module.exports = {
  semver: './lib/bundle/no-semver.ts',
  '@aws-sdk/credential-provider-node': './lib/bundle/lambda-credentials.ts',
  '@smithy/core/event-streams': './lib/bundle/no-event-streams.ts',
};
