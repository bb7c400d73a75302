// Every function loads this at init. Without zod, resolve-link imports a tenth less code.
import { readDomain } from './domain.ts';
import { expected } from './validation.ts';
/** A variable whose text matches a pattern. */
export function matching(expectation, pattern) {
    return { expected: expectation, read: (text) => (pattern.test(text) ? text : undefined) };
}
/** A URL with one of these schemes, such as `https:`. */
export function urlOf(expectation, schemes) {
    const isValid = (text) => schemes.includes(URL.parse(text)?.protocol ?? '');
    return { expected: expectation, read: (text) => (isValid(text) ? text : undefined) };
}
export const nonEmptyString = matching('a non-empty string', /./s);
export const httpUrl = urlOf('an http or https URL', ['http:', 'https:']);
export const positiveInteger = {
    expected: 'a whole number above 0',
    read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
};
export const wholeNumber = {
    expected: 'a whole number',
    read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};
export const flag = {
    expected: 'true or false',
    read: (text) => ({ true: true, false: false })[text],
};
/** A variable that may be empty. */
export function anyText(expectation) {
    return { expected: expectation, read: (text) => text };
}
/** A comma-separated list of domains, for {@link readDomains}. */
export const domainList = anyText('a comma-separated list of domains, or empty');
/** The environment lacks a variable or has an invalid one. The message names each. */
export class ConfigError extends Error {
    name = 'ConfigError';
}
/** Reads these variables. Throws {@link ConfigError}. */
export function readEnv(variables, environment = process.env) {
    const problems = [];
    const values = Object.entries(variables).map(([name, variable]) => {
        const text = environment[name];
        const value = text === undefined ? undefined : variable.read(text);
        if (value === undefined)
            problems.push(expected(name, variable.expected, text));
        return [name, value];
    });
    if (problems.length > 0)
        throw invalidError(problems);
    return Object.fromEntries(values);
}
/** Reads the domains in the variable of this name, spelled as in a URL. Throws {@link ConfigError}. */
export function readDomains(name, list) {
    // serverless.yml joins lists, and some are empty.
    const texts = list.split(',').map((text) => text.trim());
    return texts.filter(Boolean).map((text) => {
        const domain = readDomain(text);
        if (domain !== undefined)
            return domain;
        throw invalidError([expected(`each domain of ${name}`, 'a domain such as example.com', text)]);
    });
}
function invalidError(problems) {
    return new ConfigError(`${problems.join('; ')}. serverless.yml sets it for each function.`);
}
/** All of the service's own hosts. Throws `ConfigError`. */
export function readServiceHosts(environment) {
    const variables = { API_HOST: nonEmptyString, DOMAIN_NAME: domainList, EDGE_HOST: domainList };
    const hosts = readEnv(variables, environment);
    return Object.entries(hosts).flatMap(([name, list]) => readDomains(name, list));
}
