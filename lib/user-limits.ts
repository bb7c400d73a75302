import * as z from 'zod/mini';
import { environmentVariables, positiveInteger } from './config.ts';
import { parse } from './validation.ts';

const userLimitVariables = z.object({
  CONNECTIONS_PER_USER: positiveInteger,
  REQUESTS_PER_USER_PER_MINUTE: positiveInteger,
});

/** How much of the service one user may take. Throws `ConfigError`. */
export function readUserLimits(
  environment: Readonly<Record<string, string | undefined>> = process.env,
) {
  const variables = parse(userLimitVariables, environment, environmentVariables);
  return {
    connectionsPerUser: variables.CONNECTIONS_PER_USER,
    requestsPerMinute: variables.REQUESTS_PER_USER_PER_MINUTE,
  };
}
