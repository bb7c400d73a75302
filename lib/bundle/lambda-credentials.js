/**
 * Replaces the SDK's credential provider chain in the bundles. Lambda passes credentials in
 * environment variables, which the chain checks first. The other providers (profiles, SSO, STS,
 * container and instance metadata, each with its own client) never run there.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
