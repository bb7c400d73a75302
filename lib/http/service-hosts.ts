import { domainList, type Environment, nonEmptyString, readDomains, readEnv } from '../config.ts';

/** All of the service's own hosts. Throws `ConfigError`. */
export function readServiceHosts(environment?: Environment): string[] {
  const variables = { API_HOST: nonEmptyString, DOMAIN_NAME: domainList, EDGE_HOST: domainList };
  const hosts = readEnv(variables, environment);
  return Object.entries(hosts).flatMap(([name, list]) => readDomains(name, list));
}
