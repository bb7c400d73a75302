// zod/mini is a twentieth of zod in the bundle, and every function loads this at init.
import * as z from 'zod/mini';

type Environment = Readonly<Record<string, string | undefined>>;

const nonEmpty = z
  .string('a text that is not empty')
  .check(z.minLength(1, 'a text that is not empty'));
const httpUrl = z.url({ protocol: /^https?$/, error: 'an http or https URL' });
const positiveInteger = z.pipe(
  z.string('a whole number above 0').check(z.regex(/^[1-9]\d{0,8}$/, 'a whole number above 0')),
  z.transform(Number),
);

const telemetryVariables = z.object({ STAGE: nonEmpty });
const tableVariables = z.object({ TABLE_NAME: nonEmpty });
const publisherVariables = z.object({ BUS_NAME: nonEmpty, CLICK_QUEUE_URL: httpUrl });
const aggregatorVariables = z.object({
  TABLE_NAME: nonEmpty,
  MAX_RECEIVE_COUNT: positiveInteger,
  BUS_RETRY_SECONDS: positiveInteger,
  QUEUE_RETENTION_SECONDS: positiveInteger,
  DEAD_LETTER_RETENTION_SECONDS: positiveInteger,
});

/** The environment lacks a variable or holds one that cannot be used; the message names each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What the metrics of every function are told apart by. Throws {@link ConfigError}. */
export function readTelemetryConfig(environment: Environment = process.env) {
  const { STAGE } = parse(telemetryVariables, environment);
  return { stage: STAGE };
}

/** The table of links and clicks. Throws {@link ConfigError}. */
export function readTableConfig(environment: Environment = process.env) {
  const { TABLE_NAME } = parse(tableVariables, environment);
  return { tableName: TABLE_NAME };
}

/** Where a click is published, and the queue behind it. Throws {@link ConfigError}. */
export function readPublisherConfig(environment: Environment = process.env) {
  const { BUS_NAME, CLICK_QUEUE_URL } = parse(publisherVariables, environment);
  return { busName: BUS_NAME, clickQueueUrl: CLICK_QUEUE_URL };
}

/**
 * What the aggregator counts by. `markerTtlSeconds` covers the longest way by which a click can
 * come again: the bus retries, the queue and the dead-letter queue keep it, and a redrive starts
 * the queue's retention anew. Throws {@link ConfigError}.
 */
export function readAggregatorConfig(environment: Environment = process.env) {
  const variables = parse(aggregatorVariables, environment);
  return {
    tableName: variables.TABLE_NAME,
    maxReceiveCount: variables.MAX_RECEIVE_COUNT,
    markerTtlSeconds:
      variables.BUS_RETRY_SECONDS +
      variables.QUEUE_RETENTION_SECONDS +
      variables.DEAD_LETTER_RETENTION_SECONDS +
      variables.QUEUE_RETENTION_SECONDS,
  };
}

function parse<T>(variables: z.ZodMiniType<T>, environment: Environment): T {
  const parsed = variables.safeParse(environment);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: [name], message }) => {
    const value = environment[String(name)];
    const found = value === undefined ? 'it is not set' : `it is ${JSON.stringify(value)}`;
    return `${String(name)} must be ${message}, but ${found}`;
  });
  throw new ConfigError(`${problems.join('; ')}. serverless.yml sets it for each function.`);
}
