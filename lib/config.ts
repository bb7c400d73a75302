// Every function loads this at init. zod/mini is a twentieth of zod's size in the bundle.
import * as z from 'zod/mini';
import { readDomain } from './domain.ts';
import { parse, type Subject } from './validation.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const expectedString = 'a non-empty string';
export const nonEmptyString = z.string(expectedString).check(z.minLength(1, expectedString));
export const httpUrl = z.url({ protocol: /^https?$/, error: 'an http or https URL' });
const expectedInteger = 'a whole number above 0';
export const positiveInteger = z.pipe(
  z.string(expectedInteger).check(z.regex(/^[1-9]\d{0,8}$/, expectedInteger)),
  z.transform(Number),
);
/** A comma-separated list of domains, for {@link readDomains}. */
export const domainList = z.string('a comma-separated list of domains, or empty');
const expectedDomain = 'a domain such as example.com';
const domainSchema = z.pipe(
  z.transform((text: string) => readDomain(text)),
  z.string(expectedDomain),
);

/** The environment lacks a variable or has an invalid one. The message names each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const environmentVariables: Subject = {
  name: 'the environment',
  refuse: (message) => new ConfigError(`${message}. serverless.yml sets it for each function.`),
};

/** Reads the variables that the schema names. Throws {@link ConfigError}. */
export function readEnv<T>(schema: z.ZodMiniType<T>, environment: Environment = process.env): T {
  return parse(schema, environment, environmentVariables);
}

/** Reads the domains in the variable of this name, spelled as in a URL. Throws {@link ConfigError}. */
export function readDomains(name: string, list: string): string[] {
  const subject = { ...environmentVariables, name: `each domain of ${name}` };
  // serverless.yml joins lists, and some are empty.
  const texts = list.split(',').map((text) => text.trim());
  return texts.filter(Boolean).map((text) => parse(domainSchema, text, subject));
}
