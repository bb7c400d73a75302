import { vi } from 'vitest';
import { localClientConfig } from '../../local/engines/aws.ts';

/** Gives a function the variables it has on AWS, with services that are somewhere else. */
export function stubAwsEnvironment(variables: Readonly<Record<string, string>>) {
  const { region, credentials } = localClientConfig('');
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}
