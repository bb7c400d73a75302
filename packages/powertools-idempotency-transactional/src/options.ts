import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableKeys } from './actions.ts';
import type { Effects } from './effects.ts';
import type { MarkerSchema } from './entry.ts';
import { UnsafeConfigurationError } from './errors.ts';
import { isSlotAttribute, type Slot } from './sheet.ts';

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
  /**
   * Set it to write and read markers as Powertools' `DynamoDBPersistenceLayer` does. Functions with
   * either layer then recognise each other's work, so one can replace the other.
   */
  powertoolsRecords?: boolean;
  /** The attribute for a Powertools record's status; `status` by default. */
  statusAttr?: string;
  /**
   * The attribute for the time until which a Powertools record can be in progress, in epoch
   * milliseconds; `in_progress_expiration` by default.
   */
  inProgressExpiryAttr?: string;
  /**
   * The attribute for a marker's expiry, in epoch seconds. It's the table's TTL attribute. The default
   * is `ttl`, and `expiration` for Powertools records.
   */
  expiryAttr?: string;
  /** The attribute for the hash of a marker's payload; `validation` by default. */
  validationKeyAttr?: string;
  /** The attribute for the response, if there is one; `data` by default. */
  dataAttr?: string;
}

/** The keys of all tables, and the attributes of a marker. */
export interface LayerSchema {
  tables: TableKeys;
  marker: MarkerSchema;
}

/** @throws {UnsafeConfigurationError} if effects could be lost or repeated; it says what to set. */
export function checkOptions<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
): LayerSchema {
  const { tableName, markerTtlSeconds, commitTimeoutMs, slot, powertoolsRecords } = options;
  if (!new IdempotencyConfig({}).isEnabled()) {
    refuse('POWERTOOLS_IDEMPOTENCY_DISABLED is set, so nothing would be written. Unset it.');
  }
  checkAboveZero('markerTtlSeconds', markerTtlSeconds, 'seconds');
  if (commitTimeoutMs !== undefined) {
    checkAboveZero('commitTimeoutMs', commitTimeoutMs, 'milliseconds');
  }
  checkConfig(options, options.config);
  if (slot && powertoolsRecords) {
    refuse(
      'slot and powertoolsRecords are both set, but Powertools records have no sheets. Set one of them.',
    );
  }
  const { statusAttr = 'status', inProgressExpiryAttr = 'in_progress_expiration' } = options;
  const { expiryAttr = powertoolsRecords ? 'expiration' : 'ttl' } = options;
  const { validationKeyAttr = 'validation', dataAttr = 'data' } = options;
  const powertools = powertoolsRecords ? { statusAttr, inProgressExpiryAttr } : undefined;
  const keyAttributes = Object.keys(options.markerKey(''));
  const [keyAttribute] = keyAttributes;
  if (keyAttribute === undefined) {
    refuse('markerKey returns no attribute; return the primary key, partition key first.');
  }
  const attributes = { expiryAttr, validationKeyAttr, dataAttr };
  checkNames({
    markerKey: keyAttributes,
    ...attributes,
    ...powertools,
    markerAttributes: Object.keys(options.markerAttributes ?? {}),
  });
  if (slot && isSlotAttribute(expiryAttr)) {
    refuse(`expiryAttr is "${expiryAttr}", the name of a slot of a sheet. Choose another name.`);
  }
  const tables = new Map([[tableName, keyAttributes], ...Object.entries(options.tables ?? {})]);
  return { tables, marker: { keyAttribute, ...attributes, powertools } };
}

/** @throws {UnsafeConfigurationError} if Powertools would bypass, forget or confuse a payload. */
export function checkConfig<Payload>(
  { markerTtlSeconds, acceptChangedPayloads }: TransactionalPersistenceLayerOptions<Payload>,
  config: IdempotencyConfig,
): void {
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
}

function checkNames(namesOf: { [option: string]: string | string[] }): void {
  const taken = new Map<string, string>();
  for (const [option, names] of Object.entries(namesOf)) {
    for (const name of [names].flat()) {
      const other = taken.get(name);
      if (other) {
        refuse(`${option} and ${other} both name the attribute "${name}". Rename one of them.`);
      }
      taken.set(name, option);
    }
  }
}

function checkAboveZero(name: string, value: number, unit: string): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  refuse(`${name} is ${value}. Set it to a whole number of ${unit} above 0.`);
}

function refuse(message: string): never {
  throw new UnsafeConfigurationError(message);
}
