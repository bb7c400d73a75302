// Every function loads this at init. Without zod, resolve-link imports a tenth less code.
import { readDomain } from './domain.ts';
import { expected } from './validation.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How to read an environment variable. `read` returns undefined for an invalid text. */
interface Variable<T> {
  expected: string;
  read: (text: string) => T | undefined;
}

/** A variable whose text matches a pattern. */
export function matching(expectation: string, pattern: RegExp): Variable<string> {
  return { expected: expectation, read: (text) => (pattern.test(text) ? text : undefined) };
}

/** A URL with one of these schemes, such as `https:`. */
export function urlOf(expectation: string, schemes: readonly string[]): Variable<string> {
  const isValid = (text: string) => schemes.includes(URL.parse(text)?.protocol ?? '');
  return { expected: expectation, read: (text) => (isValid(text) ? text : undefined) };
}

export const nonEmptyString = matching('a non-empty string', /./s);
export const httpUrl = urlOf('an http or https URL', ['http:', 'https:']);
export const positiveInteger: Variable<number> = {
  expected: 'a whole number above 0',
  read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
};
export const wholeNumber: Variable<number> = {
  expected: 'a whole number',
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};
export const flag: Variable<boolean> = {
  expected: 'true or false',
  read: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};
/** A variable that may be empty. */
export function anyText(expectation: string): Variable<string> {
  return { expected: expectation, read: (text) => text };
}

/** A comma-separated list of domains, for {@link readDomains}. */
export const domainList = anyText('a comma-separated list of domains, or empty');

/** The environment lacks a variable or has an invalid one. The message names each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads these variables. Throws {@link ConfigError}. */
export function readEnv<T extends Record<string, unknown>>(
  variables: { [Name in keyof T]: Variable<T[Name]> },
  environment: Environment = process.env,
): T {
  const problems: string[] = [];
  const values = Object.entries<Variable<unknown>>(variables).map(([name, variable]) => {
    const text = environment[name];
    const value = text === undefined ? undefined : variable.read(text);
    if (value === undefined) problems.push(expected(name, variable.expected, text));
    return [name, value];
  });
  if (problems.length > 0) throw invalidError(problems);
  return Object.fromEntries(values) as T;
}

/** Reads the domains in the variable of this name, spelled as in a URL. Throws {@link ConfigError}. */
export function readDomains(name: string, list: string): string[] {
  // serverless.yml joins lists, and some are empty.
  const texts = list.split(',').map((text) => text.trim());
  return texts.filter(Boolean).map((text) => {
    const domain = readDomain(text);
    if (domain !== undefined) return domain;
    throw invalidError([expected(`each domain of ${name}`, 'a domain such as example.com', text)]);
  });
}

function invalidError(problems: readonly string[]): ConfigError {
  return new ConfigError(`${problems.join('; ')}. serverless.yml sets it for each function.`);
}

/** All of the service's own hosts. Throws `ConfigError`. */
export function readServiceHosts(environment?: Environment): string[] {
  const variables = { API_HOST: nonEmptyString, DOMAIN_NAME: domainList, EDGE_HOST: domainList };
  const hosts = readEnv(variables, environment);
  return Object.entries(hosts).flatMap(([name, list]) => readDomains(name, list));
}
