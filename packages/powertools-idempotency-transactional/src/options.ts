import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableKeys } from './actions.ts';
import type { Effects } from './effects.ts';
import { markerNames } from './entry.ts';
import { UnsafeConfigurationError } from './errors.ts';
import type { Slot } from './sheet.ts';

/** The options of a `TransactionalPersistenceLayer`, which checks them at init. */
export interface TransactionalPersistenceLayerOptions<Payload> {
  /** A client from `createCommitClient`. */
  client: DynamoDBClient;
  /** The table of the markers, and of all effects that don't name another one. */
  tableName: string;
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
  /** The marker's primary key, partition key first, from the idempotency key `<keyPrefix>#<key>`. */
  markerKey: (idempotencyKey: string) => { [attribute: string]: string };
  /** More attributes of a marker, for people and tools. The layer never reads them. */
  markerAttributes?: { [attribute: string]: (payload: Payload) => string | number };
  /**
   * Maps a key to its slot, if its marker shares an item with others. It returns undefined for a key
   * whose marker is an item of its own. Keys must not share a slot, and a sheet's key must not be a
   * marker's key, or one payload is mistaken for a duplicate of another. A slot blocks its key as long
   * as its sheet exists, which is at least as long as a marker lives.
   */
  slot?: (idempotencyKey: string) => Slot | undefined;
  /**
   * Set it to accept a known key's payload as a duplicate even if it has changed. Otherwise the
   * config's `payloadValidationJmesPath` must select what all deliveries of a key have in common.
   */
  acceptChangedPayloads?: boolean;
  /** The key attributes of other tables that `writes` put items into, by the table's name. */
  tables?: { [tableName: string]: string[] };
  /** How long a commit may take without a Lambda context, in milliseconds. */
  commitTimeoutMs?: number;
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
  if (!new IdempotencyConfig({}).isEnabled()) {
    refuse('POWERTOOLS_IDEMPOTENCY_DISABLED is set, so nothing would be written. Unset it.');
  }
  checkAboveZero('markerTtlSeconds', markerTtlSeconds, 'seconds');
  if (commitTimeoutMs !== undefined) {
    checkAboveZero('commitTimeoutMs', commitTimeoutMs, 'milliseconds');
  }
  checkConfig(options, options.config);
  const keyAttributes = Object.keys(options.markerKey(''));
  if (keyAttributes.length === 0) {
    refuse('markerKey returns no attribute; return the primary key, partition key first.');
  }
  const namesOf = {
    'the layer': Object.values(markerNames),
    markerKey: keyAttributes,
    markerAttributes: Object.keys(options.markerAttributes ?? {}),
  };
  const taken = new Map<string, string>();
  for (const [option, names] of Object.entries(namesOf)) {
    for (const name of names) {
      const other = taken.get(name);
      if (other) refuse(`${other} and ${option} both name the attribute "${name}". Rename one.`);
      taken.set(name, option);
    }
  }
  return new Map([[tableName, keyAttributes], ...Object.entries(options.tables ?? {})]);
}

/** @throws {UnsafeConfigurationError} if Powertools would bypass, forget or confuse a payload. */
export function checkConfig<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
  config: IdempotencyConfig,
): void {
  const { markerTtlSeconds, acceptChangedPayloads } = options;
  if (!config.throwOnNoIdempotencyKey) {
    refuse(
      'throwOnNoIdempotencyKey is false, so a payload without a key would be lost. Set it to true.',
    );
  }
  if (config.expiresAfterSeconds !== markerTtlSeconds) {
    refuse(
      `expiresAfterSeconds is ${config.expiresAfterSeconds} (Powertools' default is 3600), but the ` +
        `layer's markerTtlSeconds is ${markerTtlSeconds}. Set both to the same.`,
    );
  }
  if (!config.payloadValidationJmesPath && !acceptChangedPayloads) {
    refuse(
      'payloadValidationJmesPath is not set, so a changed payload would pass for a duplicate. Set it ' +
        "to what deliveries of one key agree on, or set the layer's acceptChangedPayloads to true.",
    );
  }
  for (const name of ['eventKeyJmesPath', 'payloadValidationJmesPath', 'hashFunction'] as const) {
    const own = options.config[name];
    if (config[name] === own) continue;
    refuse(
      `${name} is "${config[name]}", but "${own}" in the layer's config. Powertools applies one ` +
        'config to all functions of a layer. Give each config a layer of its own.',
    );
  }
}

function checkAboveZero(name: string, value: number, unit: string): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  refuse(`${name} is ${value}. Set it to a whole number of ${unit} above 0.`);
}

function refuse(message: string): never {
  throw new UnsafeConfigurationError(message);
}
