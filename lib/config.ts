// zod/mini adds a twentieth of zod's size to the bundle, and every function loads it at init.

import { addUpDeliverySeconds } from 'powertools-idempotency-transactional';
import * as z from 'zod/mini';
import { readDomain } from './domain.ts';
import { parse, type Subject } from './validation.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const expectedString = 'a non-empty string';
const nonEmptyString = z.string(expectedString).check(z.minLength(1, expectedString));
const httpUrl = z.url({ protocol: /^https?$/, error: 'an http or https URL' });
const expectedInteger = 'a whole number above 0';
export const positiveInteger = z.pipe(
  z.string(expectedInteger).check(z.regex(/^[1-9]\d{0,8}$/, expectedInteger)),
  z.transform(Number),
);

const telemetryVariables = z.object({ STAGE: nonEmptyString });
const tableVariables = z.object({ TABLE_NAME: nonEmptyString });
const expectedDomains = 'domains, separated by commas, or empty';
const creatorVariables = z.object({
  LINKS_PER_DAY: positiveInteger,
  BLOCKED_DOMAINS: z.string(expectedDomains),
});
const hostVariables = z.object({
  API_HOST: nonEmptyString,
  DOMAIN_NAME: z.string(expectedDomains),
  EDGE_HOST: z.string(expectedDomains),
});
const expectedOrigin = 'an origin such as https://go.example.com';
// An empty secret would match a request without the header.
const minSecretLength = 32;
const originVariables = z.object({
  PUBLIC_ORIGIN: z.string(expectedOrigin).check(z.regex(/^https?:\/\/[^/?#@\s]+$/, expectedOrigin)),
});
const resolverVariables = z.object({ OWN_DOMAINS: z.string(expectedDomains) });
const expectedDomain = 'a domain such as example.com';
const domainSchema = z.pipe(
  z.transform((text: string) => readDomain(text)),
  z.string(expectedDomain),
);
const publisherVariables = z.object({
  BUS_NAME: nonEmptyString,
  CLICK_QUEUE_URL: httpUrl,
  CLICK_QUEUES: positiveInteger,
});
const expectedFlag = 'true or false';
const flag = z.pipe(
  z.string(expectedFlag).check(z.regex(/^(true|false)$/, expectedFlag)),
  z.transform((text) => text === 'true'),
);
const pageVariables = z.object({
  STAGE: nonEmptyString,
  JWT_ISSUER: httpUrl,
  JWT_AUDIENCE: nonEmptyString,
  LOGIN_DOMAIN: z.string('a domain or a URL, or empty'),
  SIGN_IN_SCOPE: nonEmptyString,
  LIVE_URL: z.url({ protocol: /^wss?$/, error: 'a ws or wss URL' }),
  RUNBOOK_URL: z.string('a URL, or empty'),
  TRY_IT: flag,
});
const backlogVariables = z.object({
  CLICK_QUEUE_URL: httpUrl,
  CLICK_QUEUES: positiveInteger,
  CLICK_DLQ_URL: httpUrl,
  CLICK_RULE_DLQ_URL: httpUrl,
});
const tryVariables = z.object({
  BUS_NAME: nonEmptyString,
  MAX_RECEIVE_COUNT: positiveInteger,
  VISIBILITY_TIMEOUT_SECONDS: positiveInteger,
});
const tokenVariables = z.object({
  JWT_ISSUER: httpUrl,
  JWT_AUDIENCE: nonEmptyString,
  JWT_SCOPES: nonEmptyString,
});
const liveVariables = z.object({ LIVE_ENDPOINT: httpUrl });
const aggregatorVariables = z.object({
  TABLE_NAME: nonEmptyString,
  MAX_RECEIVE_COUNT: positiveInteger,
  BUS_RETRY_SECONDS: positiveInteger,
  QUEUE_RETENTION_SECONDS: positiveInteger,
  DEAD_LETTER_RETENTION_SECONDS: positiveInteger,
});

/** The environment lacks a variable or has an invalid one; the message names each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const environmentVariables: Subject = {
  name: 'the environment',
  refuse: (message) => new ConfigError(`${message}. serverless.yml sets it for each function.`),
};

/** The dimensions of every function's metrics. Throws {@link ConfigError}. */
export function readTelemetryConfig(environment: Environment = process.env) {
  const { STAGE } = parse(telemetryVariables, environment, environmentVariables);
  return { stage: STAGE };
}

/** The table of links and clicks. Throws {@link ConfigError}. */
export function readTableConfig(environment: Environment = process.env) {
  const { TABLE_NAME } = parse(tableVariables, environment, environmentVariables);
  return { tableName: TABLE_NAME };
}

/**
 * How many links an owner may create in a UTC day, and the domains to which none may lead. Throws
 * {@link ConfigError}.
 */
export function readCreatorConfig(environment: Environment = process.env) {
  const variables = parse(creatorVariables, environment, environmentVariables);
  return {
    linksPerDay: variables.LINKS_PER_DAY,
    blockedDomains: readDomains('BLOCKED_DOMAINS', variables.BLOCKED_DOMAINS),
  };
}

/**
 * The scheme and host of every short link. A request's own headers could name any: whoever sends it
 * writes them. Throws {@link ConfigError}.
 */
export function readOriginConfig(environment: Environment = process.env) {
  const { PUBLIC_ORIGIN } = parse(originVariables, environment, environmentVariables);
  return { publicOrigin: PUBLIC_ORIGIN };
}

/**
 * The secrets that CloudFront may send with a request; none if there is no CloudFront. Throws a
 * {@link ConfigError} that does not show them.
 */
export function readEdgeConfig({ ORIGIN_SECRETS }: Environment = process.env) {
  if (ORIGIN_SECRETS === undefined) return { originSecrets: [] };
  const originSecrets = ORIGIN_SECRETS.split(',');
  if (originSecrets.every((secret) => secret.length >= minSecretLength)) return { originSecrets };
  throw new ConfigError(
    `expected ORIGIN_SECRETS to be secrets of at least ${minSecretLength} characters, separated by ` +
      'commas; got a shorter one. infra/edge.yml sets it.',
  );
}

/** All hosts at which the service answers. Throws {@link ConfigError}. */
export function readHostConfig(environment: Environment = process.env) {
  const hosts = parse(hostVariables, environment, environmentVariables);
  return {
    serviceHosts: Object.entries(hosts).flatMap(([name, list]) => readDomains(name, list)),
  };
}

/**
 * The bus that takes clicks, the first queue behind it, and how many there are. Throws
 * {@link ConfigError}.
 */
export function readPublisherConfig(environment: Environment = process.env) {
  const { BUS_NAME, CLICK_QUEUE_URL, CLICK_QUEUES } = parse(
    publisherVariables,
    environment,
    environmentVariables,
  );
  return { busName: BUS_NAME, clickQueueUrl: CLICK_QUEUE_URL, clickQueues: CLICK_QUEUES };
}

/** The first queue of clicks, how many there are, and their dead-letter queues. Throws {@link ConfigError}. */
export function readBacklogConfig(environment: Environment = process.env) {
  const variables = parse(backlogVariables, environment, environmentVariables);
  return {
    clickQueue: variables.CLICK_QUEUE_URL,
    clickQueues: variables.CLICK_QUEUES,
    deadLetterQueues: [variables.CLICK_DLQ_URL, variables.CLICK_RULE_DLQ_URL],
  };
}

/**
 * The bus that takes clicks to try, and how often and how far apart a message is tried before it is
 * set aside. Throws {@link ConfigError}.
 */
export function readTryConfig(environment: Environment = process.env) {
  const variables = parse(tryVariables, environment, environmentVariables);
  return {
    busName: variables.BUS_NAME,
    attempts: variables.MAX_RECEIVE_COUNT,
    attemptSeconds: variables.VISIBILITY_TIMEOUT_SECONDS,
  };
}

/** The domains whose pages are no foreign referrers. Throws {@link ConfigError}. */
export function readResolverConfig(environment: Environment = process.env) {
  const { OWN_DOMAINS } = parse(resolverVariables, environment, environmentVariables);
  return { ownDomains: readDomains('OWN_DOMAINS', OWN_DOMAINS) };
}

/**
 * Whose tokens the live page's connections need, for which audience, and with one of which scopes.
 * Throws {@link ConfigError}.
 */
export function readTokenConfig(environment: Environment = process.env) {
  const variables = parse(tokenVariables, environment, environmentVariables);
  return {
    issuer: variables.JWT_ISSUER,
    audience: variables.JWT_AUDIENCE,
    scopes: variables.JWT_SCOPES.split(/\s/).filter(Boolean),
  };
}

/** Where messages to the live page's connections go. Throws {@link ConfigError}. */
export function readLiveConfig(environment: Environment = process.env) {
  const { LIVE_ENDPOINT } = parse(liveVariables, environment, environmentVariables);
  return { liveEndpoint: LIVE_ENDPOINT };
}

/**
 * The aggregator's settings. `markerTtlSeconds` covers the longest time after which a click can
 * return (docs/decisions/when-a-marker-expires.md). Throws {@link ConfigError}.
 */
export function readAggregatorConfig(environment: Environment = process.env) {
  const variables = parse(aggregatorVariables, environment, environmentVariables);
  return {
    tableName: variables.TABLE_NAME,
    maxReceiveCount: variables.MAX_RECEIVE_COUNT,
    markerTtlSeconds: addUpDeliverySeconds({
      sourceRetrySeconds: variables.BUS_RETRY_SECONDS,
      queueRetentionSeconds: variables.QUEUE_RETENTION_SECONDS,
      deadLetterRetentionSeconds: variables.DEAD_LETTER_RETENTION_SECONDS,
    }),
  };
}

/** What the live page must know, and where it may connect to. Throws {@link ConfigError}. */
export function readPageConfig(environment: Environment = process.env) {
  const variables = parse(pageVariables, environment, environmentVariables);
  return {
    stage: variables.STAGE,
    issuer: variables.JWT_ISSUER,
    clientId: variables.JWT_AUDIENCE,
    loginDomain: variables.LOGIN_DOMAIN,
    scope: variables.SIGN_IN_SCOPE,
    liveUrl: variables.LIVE_URL,
    runbookUrl: variables.RUNBOOK_URL,
    tryIt: variables.TRY_IT,
  };
}

// serverless.yml joins lists, and some of them are empty.
function readDomains(name: string, list: string): string[] {
  const subject = { ...environmentVariables, name: `each domain of ${name}` };
  const texts = list.split(',').map((text) => text.trim());
  return texts.filter(Boolean).map((text) => parse(domainSchema, text, subject));
}
