import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Effects } from './entry.ts';
import { UnsafeConfigurationError } from './errors.ts';
import { isSlotAttribute, type Place } from './sheet.ts';
import type { PowertoolsSchema, TableSchema } from './transaction.ts';
import type { TableKeys } from './write.ts';

/**
 * What the layer writes, where, and for how long. The layer checks it at init and throws an
 * `UnsafeConfigurationError` if work could be lost or repeated.
 */
export interface TransactionalPersistenceLayerOptions<Payload> {
  /** Created by `createCommitClient`. */
  client: DynamoDBClient;
  /** The table of the markers, and of all effects that name no other. */
  tableName: string;
  /** The config that `makeIdempotent` gets too. It is given here so that init can refuse it. */
  config: IdempotencyConfig;
  /**
   * How long a marker lives, in seconds: longer than every path by which its record can come again,
   * because a record that comes after that has its effects twice. `addUpDeliverySeconds` adds up the
   * paths of a queue. The config's `expiresAfterSeconds` must say the same.
   */
  markerTtlSeconds: number;
  /** Derives the effects of a payload. It must be pure: it runs for each delivery. */
  effects: (payload: Payload) => Effects;
  /** The marker's primary key, partition key first, from the idempotency key `<keyPrefix>#<key>`. */
  markerKey: (idempotencyKey: string) => { [attribute: string]: string };
  /** Attributes of the marker for people and tools; the layer never reads them. A sheet has none. */
  markerAttributes?: { [attribute: string]: (payload: Payload) => string | number };
  /**
   * The place of a key whose marker is a slot of a sheet; undefined for a key whose marker is an item
   * of its own. A sheet costs as much to write as a marker, however many of its slots. No two keys may
   * share a place, and no sheet the key of a marker; else one record passes for another's duplicate.
   * A slot blocks its key as long as the sheet exists, so at least until the marker would expire.
   */
  place?: (idempotencyKey: string) => Place | undefined;
  /**
   * True if a record with a known key is a duplicate whatever else it says. Without it, the config
   * must name what deliveries of one key agree on, as its `payloadValidationJmesPath`.
   */
  acceptChangedPayloads?: boolean;
  /** The key attributes of other tables that `writes` put items into, by the table's name. */
  tables?: { [tableName: string]: string[] };
  /** How long a commit may take, in milliseconds, where there is no Lambda context to ask. */
  commitTimeoutMs?: number;
  /**
   * True if markers are records as Powertools' `DynamoDBPersistenceLayer` writes and reads them, with
   * hashed keys. Functions with either layer then see each other's work, so one can replace the other
   * while messages are under way. The names of attributes are those of that layer, by default too.
   */
  powertoolsRecords?: boolean;
  /** The attribute for a Powertools record's status; `status` by default. */
  statusAttr?: string;
  /**
   * The attribute until when a Powertools record may be in progress, in epoch milliseconds;
   * `in_progress_expiration` by default.
   */
  inProgressExpiryAttr?: string;
  /**
   * The marker's attribute for its expiry, in epoch seconds, which is the table's TTL attribute; `ttl`
   * by default, and `expiration` for Powertools records.
   */
  expiryAttr?: string;
  /** The marker's attribute for the hash of its payload; `validation` by default. */
  validationKeyAttr?: string;
  /** The marker's attribute for the response of a record that has one; `data` by default. */
  dataAttr?: string;
}

/** How the layer writes to its table, and which other tables it knows. */
export interface LayerSchema extends TableSchema {
  tables: TableKeys;
}

/**
 * Checks what the layer is given, and returns how it writes to the table.
 *
 * @throws {UnsafeConfigurationError} if work could be lost or repeated; it says what to set.
 */
export function checkOptions<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
): LayerSchema {
  const { tableName, markerKey, markerTtlSeconds, commitTimeoutMs } = options;
  if (!new IdempotencyConfig({}).isEnabled()) {
    refuse('POWERTOOLS_IDEMPOTENCY_DISABLED is set, so nothing would be written. Unset it.');
  }
  checkAboveZero('markerTtlSeconds', markerTtlSeconds, 'seconds');
  if (commitTimeoutMs !== undefined) {
    checkAboveZero('commitTimeoutMs', commitTimeoutMs, 'milliseconds');
  }
  checkConfig(options, options.config);
  const { expiryAttr = options.powertoolsRecords ? 'expiration' : 'ttl' } = options;
  const { validationKeyAttr = 'validation', dataAttr = 'data' } = options;
  const powertools = options.powertoolsRecords ? readPowertoolsSchema(options) : undefined;
  const keyAttributes = Object.keys(markerKey(''));
  const [keyAttribute] = keyAttributes;
  if (keyAttribute === undefined) {
    refuse('markerKey returns no attribute; return the primary key, partition key first.');
  }
  checkNames([
    ...keyAttributes.map((name): Named => [name, 'markerKey']),
    [expiryAttr, 'expiryAttr'],
    [validationKeyAttr, 'validationKeyAttr'],
    [dataAttr, 'dataAttr'],
    ...Object.entries(powertools ?? {}).map(([option, name]): Named => [name, option]),
    ...Object.keys(options.markerAttributes ?? {}).map((name): Named => [name, 'markerAttributes']),
  ]);
  if (options.place && isSlotAttribute(expiryAttr)) {
    refuse(`expiryAttr is "${expiryAttr}", the name of a slot of a sheet. Choose another name.`);
  }
  const tables = new Map([[tableName, keyAttributes], ...Object.entries(options.tables ?? {})]);
  const schema = { tableName, keyAttribute, expiryAttr, validationKeyAttr, dataAttr, tables };
  return powertools ? { ...schema, powertools } : schema;
}

function readPowertoolsSchema<Payload>({
  place,
  statusAttr = 'status',
  inProgressExpiryAttr = 'in_progress_expiration',
}: TransactionalPersistenceLayerOptions<Payload>): PowertoolsSchema {
  if (place) {
    refuse(
      'place and powertoolsRecords are both set, but Powertools records have no sheets. Set one of them.',
    );
  }
  return { statusAttr, inProgressExpiryAttr };
}

/** @throws {UnsafeConfigurationError} if Powertools would bypass, forget or mistake a record. */
export function checkConfig<Payload>(
  {
    markerTtlSeconds,
    acceptChangedPayloads,
  }: Pick<
    TransactionalPersistenceLayerOptions<Payload>,
    'markerTtlSeconds' | 'acceptChangedPayloads'
  >,
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

/**
 * How long the invocation still has, in milliseconds.
 *
 * @throws {UnsafeConfigurationError} if nobody knows.
 */
export function requireRemainingMs(
  { commitTimeoutMs }: { commitTimeoutMs?: number },
  remainingMs: number | undefined,
): number {
  const knownMs = remainingMs ?? commitTimeoutMs;
  if (knownMs === undefined) {
    refuse(
      'there is no Lambda context, so the layer does not know when the invocation ends. Pass the ' +
        "context as the wrapped function's second argument, register it with the config's " +
        "registerLambdaContext, or set the layer's commitTimeoutMs.",
    );
  }
  return knownMs;
}

type Named = [attribute: string, option: string];

function checkNames(names: Named[]): void {
  const taken = new Map<string, string>();
  for (const [attribute, option] of names) {
    const other = taken.get(attribute);
    if (other !== undefined) {
      refuse(`${option} and ${other} both name the attribute "${attribute}". Rename one of them.`);
    }
    taken.set(attribute, option);
  }
}

function checkAboveZero(name: string, value: number, unit: string): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  refuse(`${name} is ${value}. Set it to a whole number of ${unit} above 0.`);
}

function refuse(message: string): never {
  throw new UnsafeConfigurationError(message);
}
