import { domainList, type Environment, nonEmptyString, readDomains, readEnv } from '../config.ts';

const hostVariables = {
  API_HOST: nonEmptyString,
  DOMAIN_NAME: domainList,
  EDGE_HOST: domainList,
};

/** All of the service's own hosts. Throws `ConfigError`. */
export function readServiceHosts(environment?: Environment): string[] {
  const hosts = readEnv(hostVariables, environment);
  return Object.entries(hosts).flatMap(([name, list]) => readDomains(name, list));
}
