import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { TableKeys } from './actions.ts';
import type { Effects } from './effects.ts';
import type { MarkerNames } from './entry.ts';
import { UnsafeConfigurationError } from './errors.ts';
import type { Slot } from './sheets.ts';

/**
 * The options of a `TransactionalPersistenceLayer`, which checks them at init. Those that
 * `DynamoDBPersistenceLayer` also has mean the same.
 *
 * @example
 * ```ts
 * import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
 * import type { TransactionalPersistenceLayerOptions } from 'powertools-idempotency-transactional';
 *
 * export const options: TransactionalPersistenceLayerOptions<{ id: string }> = {
 *   tableName: 'orders',
 *   keyAttr: 'PK',
 *   sortKeyAttr: 'SK',
 *   staticSkValue: 'MARKER',
 *   config: new IdempotencyConfig({
 *     eventKeyJmesPath: 'id',
 *     throwOnNoIdempotencyKey: true,
 *     payloadValidationJmesPath: '@',
 *     expiresAfterSeconds: 86_400,
 *   }),
 *   markerTtlSeconds: 86_400,
 *   effects: ({ id }) => ({ writes: [{ Put: { Item: { PK: `ORDER#${id}`, SK: 'ORDER' } } }] }),
 * };
 * ```
 */
export interface TransactionalPersistenceLayerOptions<Payload> {
  /** A client from `createCommitClient`, which also makes the default one. */
  awsSdkV3Client?: DynamoDBClient | undefined;
  /** Options of the client, if `awsSdkV3Client` isn't set. */
  clientConfig?: DynamoDBClientConfig | undefined;
  /** The table of the markers, and of all effects that don't name another one. */
  tableName: string;
  /** The table's partition key; `id` by default. It holds the idempotency key `<keyPrefix>#<key>`. */
  keyAttr?: string | undefined;
  /** The table's sort key, if it has one. */
  sortKeyAttr?: string | undefined;
  /**
   * The sort key of all markers. Set it rather than `staticPkValue`, which puts all markers into one
   * partition, with a limit of 1,000 write units a second.
   */
  staticSkValue?: string | undefined;
  /**
   * The partition key of all markers, whose sort key then holds the idempotency key. With a sort key and
   * no `staticSkValue`, it's `idempotency#<function name>` by default.
   */
  staticPkValue?: string | undefined;
  /** The table's TTL attribute, in epoch seconds; `expiration` by default. */
  expiryAttr?: string | undefined;
  /** A marker's attribute for the response; `data` by default. */
  dataAttr?: string | undefined;
  /** A marker's attribute for the payload's hash; `validation` by default. */
  validationKeyAttr?: string | undefined;
  /** The same config that `makeIdempotent` gets, so that the layer can check it at init. */
  config: IdempotencyConfig;
  /**
   * How long a marker lives, in seconds. It must outlive every path by which its payload can come
   * again, because a later delivery has its effects twice. `addUpDeliverySeconds` adds up the paths
   * of a queue. The config's `expiresAfterSeconds` must be the same.
   */
  markerTtlSeconds: number;
  /** Derives the effects of a payload. It must be pure, because it runs for each delivery. */
  effects: (payload: Payload) => Effects;
  /** More attributes of a marker, for people and tools. The layer never reads them. */
  markerAttributes?: { [attribute: string]: (payload: Payload) => string | number } | undefined;
  /**
   * Maps a key to its slot, if its marker shares an item with others. It returns undefined for a key
   * whose marker is an item of its own. Keys must not share a slot, and a sheet's key must not be a
   * marker's key, or one payload is mistaken for a duplicate of another. A slot blocks its key as long
   * as its sheet exists, which is at least as long as a marker lives.
   */
  slot?: ((idempotencyKey: string) => Slot | undefined) | undefined;
  /**
   * Set it to accept a known key's payload as a duplicate even if it has changed. Otherwise the
   * config's `payloadValidationJmesPath` must select what all deliveries of a key have in common.
   */
  acceptChangedPayloads?: boolean | undefined;
  /** The key attributes of other tables that `writes` put items into, by the table's name. */
  tables?: { readonly [tableName: string]: readonly string[] } | undefined;
  /** How long a commit may take without a Lambda context, in milliseconds. */
  commitTimeoutMs?: number | undefined;
}

/** Where a layer's markers are. */
export interface MarkerSettings {
  tableName: string;
  names: MarkerNames;
  keyOf: (idempotencyKey: string) => Record<string, string>;
}

/** Returns where the markers are, by Powertools' own defaults. */
export function readMarkerSettings(
  options: Omit<TransactionalPersistenceLayerOptions<never>, 'effects' | 'markerAttributes'>,
  functionName: string,
): MarkerSettings {
  const { tableName, keyAttr = 'id', sortKeyAttr, staticSkValue } = options;
  const { staticPkValue = `idempotency#${functionName}` } = options;
  const {
    expiryAttr = 'expiration',
    dataAttr = 'data',
    validationKeyAttr = 'validation',
  } = options;
  const names = { expiry: expiryAttr, response: dataAttr, hash: validationKeyAttr };
  const keyOf = (idempotencyKey: string) => {
    if (sortKeyAttr === undefined) return { [keyAttr]: idempotencyKey };
    return staticSkValue === undefined
      ? { [keyAttr]: staticPkValue, [sortKeyAttr]: idempotencyKey }
      : { [keyAttr]: idempotencyKey, [sortKeyAttr]: staticSkValue };
  };
  return { tableName, names, keyOf };
}

/**
 * Returns the key attributes of all tables.
 *
 * @throws {UnsafeConfigurationError} if effects could be lost or repeated; it says what to set.
 */
export function checkOptions<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
): TableKeys {
  const { tableName, markerTtlSeconds, commitTimeoutMs } = options;
  const { sortKeyAttr, staticPkValue, staticSkValue } = options;
  const isOnLambda = process.env.AWS_LAMBDA_INITIALIZATION_TYPE !== undefined;
  if (isOnLambda && !new IdempotencyConfig({}).isEnabled()) {
    fail('POWERTOOLS_IDEMPOTENCY_DISABLED is set, so nothing would be written. Unset it.');
  }
  if (!tableName) fail('tableName is empty. Set it to the name of the table.');
  if (options.awsSdkV3Client && options.clientConfig) {
    fail('awsSdkV3Client and clientConfig are both set. Set one of them.');
  }
  if (staticSkValue !== undefined && (sortKeyAttr === undefined || staticPkValue !== undefined)) {
    fail('staticSkValue needs a sortKeyAttr, and no staticPkValue. Change one of them.');
  }
  checkAboveZero('markerTtlSeconds', markerTtlSeconds, 'seconds');
  if (commitTimeoutMs !== undefined) {
    checkAboveZero('commitTimeoutMs', commitTimeoutMs, 'milliseconds');
  }
  checkConfig(options, options.config);
  const { names, keyOf } = readMarkerSettings(options, '');
  const keyAttributes = Object.keys(keyOf(''));
  checkNames({
    keyAttr: keyAttributes.slice(0, 1),
    sortKeyAttr: sortKeyAttr === undefined ? [] : [sortKeyAttr],
    expiryAttr: [names.expiry],
    dataAttr: [names.response],
    validationKeyAttr: [names.hash],
    markerAttributes: Object.keys(options.markerAttributes ?? {}),
  });
  return new Map([[tableName, keyAttributes], ...Object.entries(options.tables ?? {})]);
}

/** Each attribute of a marker needs a name of its own. */
function checkNames(namesOf: Record<string, string[]>): void {
  const optionOf = new Map<string, string>();
  for (const [option, names] of Object.entries(namesOf)) {
    for (const name of names) {
      const other = optionOf.get(name);
      if (other) fail(`${other} and ${option} both name the attribute "${name}". Rename one.`);
      optionOf.set(name, option);
    }
  }
}

/** @throws {UnsafeConfigurationError} if Powertools would bypass, forget or confuse a payload. */
export function checkConfig<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
  config: IdempotencyConfig,
): void {
  const { markerTtlSeconds, acceptChangedPayloads } = options;
  if (!config.throwOnNoIdempotencyKey) {
    fail(
      'throwOnNoIdempotencyKey is false, so a payload without a key would be lost. Set it to true.',
    );
  }
  if (config.expiresAfterSeconds !== markerTtlSeconds) {
    fail(
      `expiresAfterSeconds is ${config.expiresAfterSeconds} (Powertools' default is 3600), but the ` +
        `layer's markerTtlSeconds is ${markerTtlSeconds}. Set both to the same.`,
    );
  }
  if (!config.payloadValidationJmesPath && !acceptChangedPayloads) {
    fail(
      'payloadValidationJmesPath is not set, so a changed payload would pass for a duplicate. Set it ' +
        "to what deliveries of one key agree on, or set the layer's acceptChangedPayloads to true.",
    );
  }
  for (const name of ['eventKeyJmesPath', 'payloadValidationJmesPath', 'hashFunction'] as const) {
    const own = options.config[name];
    if (config[name] === own) continue;
    fail(
      `${name} is "${config[name]}", but "${own}" in the layer's config. Powertools applies one ` +
        'config to all functions of a layer. Give each config a layer of its own.',
    );
  }
}

function checkAboveZero(name: string, value: number, unit: string): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  fail(`${name} is ${value}. Set it to a whole number of ${unit} above 0.`);
}

function fail(message: string): never {
  throw new UnsafeConfigurationError(message);
}
