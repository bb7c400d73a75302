import { vi } from 'vitest';
import { localClientConfig } from '../../loopback/local-aws.ts';

/** Stubs the variables that Lambda sets, and these. Modules read them as they load, so they load anew. */
export function stubAwsEnvironment(variables: Readonly<Record<string, string>>) {
  vi.resetModules();
  const { region, credentials } = localClientConfig('');
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

/** The variables of the functions behind the API, in a stage with a domain. */
export const linkVariables = {
  API_HOST: 'a1.execute-api.us-east-1.amazonaws.com',
  DOMAIN_NAME: 'go.example.com',
  EDGE_HOST: 'd111111abcdef8.cloudfront.net',
  PUBLIC_ORIGIN: 'https://go.example.com',
  BLOCKED_DOMAINS: 'evil.example',
  LINKS_PER_DAY: '1000',
};
