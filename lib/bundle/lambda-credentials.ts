/**
 * Replaces the SDK's chain of credential providers in the bundles. Lambda hands a function its
 * credentials in environment variables, where the chain looks first; the rest of it (profiles, SSO,
 * STS, container and instance metadata, each with a client of its own) never runs there.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
