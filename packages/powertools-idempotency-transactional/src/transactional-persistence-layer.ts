import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type IdempotencyConfig,
  IdempotencyItemAlreadyExistsError,
  IdempotencyItemNotFoundError,
  IdempotencyRecordStatus,
} from '@aws-lambda-powertools/idempotency';
import {
  BasePersistenceLayer,
  IdempotencyRecord,
} from '@aws-lambda-powertools/idempotency/persistence';
import type { BasePersistenceLayerOptions } from '@aws-lambda-powertools/idempotency/types';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type TableKeys, toItem } from './actions.ts';
import { buildEntry } from './build-entry.ts';
import { createCommitClient } from './client.ts';
import { CommitQueue } from './commit-queue.ts';
import type { JSONValue } from './effects.ts';
import type { Duplicate } from './entry.ts';
import { ReceiptMissingError, UnsafeConfigurationError } from './errors.ts';
import {
  checkConfig,
  checkOptions,
  type MarkerSettings,
  readMarkerSettings,
  type TransactionalPersistenceLayerOptions,
} from './options.ts';
import { readField } from './read-field.ts';
import { readItems } from './read-items.ts';
import { slotAttribute } from './sheets.ts';
import { hashOfSlot } from './slot-marker.ts';

/** Time held back at the end of an invocation to report uncommitted payloads. */
const reserveMs = 500;

/** DynamoDB accepts 1,024 bytes in a sort key. Longer idempotency keys are hashed. */
const maxKeyBytes = 1_000;

/**
 * An idempotency record that is the transaction: one TransactWriteItems commits a payload's marker and
 * all its effects, before the wrapped function runs. So there is no INPROGRESS state, and after a crash,
 * either everything is written or nothing. Payloads that arrive together, or while a request for their
 * items is in flight, share transactions. The wrapped function runs after the commit, at most once for
 * each key. It must ask for the receipt, so that it fails if Powertools bypassed the layer.
 *
 * How it uses `BasePersistenceLayer`: `saveInProgress` commits the marker and the effects, or throws
 * Powertools' error for a duplicate, with the record that is complete already. `saveSuccess` only
 * fills the cache, and `deleteRecord` does nothing, because a commit stays.
 *
 * @example
 * ```ts
 * import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
 * import { TransactionalPersistenceLayer } from 'powertools-idempotency-transactional';
 *
 * const config = new IdempotencyConfig({
 *   eventKeyJmesPath: 'id',
 *   throwOnNoIdempotencyKey: true,
 *   payloadValidationJmesPath: 'cents',
 *   expiresAfterSeconds: 86_400,
 * });
 * const layer = new TransactionalPersistenceLayer<{ id: string; cents: number }>({
 *   tableName: 'orders',
 *   config,
 *   markerTtlSeconds: 86_400,
 *   effects: ({ id, cents }) => ({ writes: [{ Put: { Item: { id: `ORDER#${id}`, cents } } }] }),
 * });
 * export const bookOnce = makeIdempotent(
 *   async (order: { id: string; cents: number }, _context: object) => layer.receiptOf(order),
 *   { persistenceStore: layer, keyPrefix: 'BOOKING', config },
 * );
 * ```
 */
export class TransactionalPersistenceLayer<Payload extends object> extends BasePersistenceLayer {
  readonly #options: TransactionalPersistenceLayerOptions<Payload>;
  readonly #client: DynamoDBClient;
  readonly #tables: TableKeys;
  readonly #markers: MarkerSettings;
  readonly #queue: CommitQueue;
  readonly #receipts = new WeakMap<object, IdempotencyRecord>();
  // Powertools passes `_putRecord` a record, but not the payload that the effects are derived from. Many
  // invocations may be between `saveInProgress` and `_putRecord` at once, so a field could hold another one's.
  readonly #payload = new AsyncLocalStorage<Payload>();
  /** The prefix of a function that sets none. */
  readonly #defaultPrefix = this.idempotencyKeyPrefix;
  /** The prefix of the function that is about to save a payload. */
  #nextPrefix: string | undefined;
  readonly #prefixes = new WeakMap<object, string>();

  /** @throws {UnsafeConfigurationError} if effects could be lost or repeated with these options. */
  constructor(options: TransactionalPersistenceLayerOptions<Payload>) {
    super();
    this.#options = options;
    this.#tables = checkOptions(options);
    this.#markers = readMarkerSettings(options, this.#defaultPrefix);
    this.#client = options.awsSdkV3Client ?? createCommitClient(options.clientConfig);
    this.#queue = new CommitQueue({
      client: this.#client,
      random: Math.random,
      newToken: randomUUID,
      reserveMs,
    });
  }

  /** @throws {UnsafeConfigurationError} if effects could be lost or repeated with this config. */
  override configure(options: BasePersistenceLayerOptions): void {
    checkConfig(this.#options, options.config);
    rememberFunctions(options.config);
    // Powertools would keep the prefix of the function that was called last.
    this.idempotencyKeyPrefix = this.#defaultPrefix;
    super.configure(options);
    if (this.idempotencyKeyPrefix.includes('#')) {
      throw new UnsafeConfigurationError(
        `keyPrefix is "${this.idempotencyKeyPrefix}". Leave out #, which separates it from the key: ` +
          'otherwise two prefixes could have a key in common.',
      );
    }
    this.#nextPrefix = this.idempotencyKeyPrefix;
  }

  // Powertools configures the layer for each call, but not again when it repeats a save. Another function may have
  // configured it meanwhile.
  #restorePrefix(payload: object): void {
    this.idempotencyKeyPrefix =
      this.#nextPrefix ?? this.#prefixes.get(payload) ?? this.idempotencyKeyPrefix;
    this.#prefixes.set(payload, this.idempotencyKeyPrefix);
    this.#nextPrefix = undefined;
  }

  // Powertools saves this record before it runs the function. Here, saving it is the commit, so that no
  // crash can come between the two.
  override async saveInProgress(
    data: JSONValue,
    remainingTimeInMillis?: number,
  ): Promise<SavedRecord> {
    const remainingMs = remainingTimeInMillis ?? this.#options.commitTimeoutMs;
    if (remainingMs === undefined) {
      throw new UnsafeConfigurationError(
        'there is no Lambda context, so the layer does not know when the invocation ends. Pass the ' +
          "context as the wrapped function's second argument, register it with the config's " +
          "registerLambdaContext, or set the layer's commitTimeoutMs.",
      );
    }
    this.#restorePrefix(data as Payload);
    await this.#payload.run(data as Payload, () => super.saveInProgress(data, remainingMs));
    return this.#requireReceipt(data as Payload) as unknown as SavedRecord;
  }

  /**
   * The receipt of a payload: the idempotency key under which this very object was committed.
   *
   * @throws {ReceiptMissingError} if it wasn't committed.
   */
  receiptOf(payload: Payload): string {
    return this.#requireReceipt(payload).idempotencyKey;
  }

  /**
   * The response that was stored for this very payload object; null if its effects have none. Its type
   * is that of the effects' response, which the layer doesn't check.
   *
   * @throws {ReceiptMissingError} if it wasn't committed.
   */
  responseOf<Response = JSONValue>(payload: Payload): Response {
    return (this.#requireReceipt(payload).responseData ?? null) as Response;
  }

  #requireReceipt(payload: Payload): IdempotencyRecord {
    const receipt = this.#receipts.get(payload);
    if (receipt) return receipt;
    const hint = process.env.POWERTOOLS_IDEMPOTENCY_DISABLED
      ? '. POWERTOOLS_IDEMPOTENCY_DISABLED is set: unset it.'
      : '';
    throw new ReceiptMissingError(
      `expected a committed payload; got one that bypassed the layer${hint}`,
    );
  }

  /** The record of a committed payload. @throws {IdempotencyItemNotFoundError} if it isn't committed. */
  override async getRecord(data: JSONValue): Promise<IdempotencyRecord> {
    return this.#payload.run(data as Payload, () => super.getRecord(data));
  }

  override async saveSuccess(data: JSONValue): Promise<void> {
    const record = this.#receipts.get(data as Payload);
    // `saveToCache` is private. This also compares the payload's record with the stored one, which are the same.
    if (record) this.processExistingRecord(record, record);
  }

  /** Does nothing, because a commit stays. */
  override async deleteRecord(): Promise<void> {}

  // With a readable key, people and tools find a marker by the id that they know.
  protected override getHashedIdempotencyKey(data: JSONValue): string {
    const key = readPath(data, this.#options.config.eventKeyJmesPath);
    const readable = `${this.idempotencyKeyPrefix}#${key}`;
    // In UTF-8, all unpaired surrogates are the same character.
    const isKey = typeof key === 'string' && key !== '' && !/\p{Surrogate}/u.test(key);
    return isKey && Buffer.byteLength(readable) <= maxKeyBytes
      ? readable
      : super.getHashedIdempotencyKey(data);
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    const payload = this.#payload.getStore();
    if (!payload) throw new ReceiptMissingError('expected a payload from saveInProgress; got none');
    const entry = buildEntry(this.#options, this.#markers, this.#tables, record, payload);
    const outcome = await this.#queue.commit(entry);
    if (outcome instanceof Error) throw outcome;
    if (outcome.kind === 'duplicate') {
      throw new IdempotencyItemAlreadyExistsError(
        `already committed: ${record.idempotencyKey}`,
        complete(record, outcome),
      );
    }
    this.#receipts.set(payload, complete(record, entry));
  }

  protected override async _getRecord(idempotencyKey: string): Promise<IdempotencyRecord> {
    const slot = this.#options.slot?.(idempotencyKey);
    const { tableName, names, keyOf } = this.#markers;
    const key = toItem(slot ? slot.sheetKey : keyOf(idempotencyKey));
    const [item] = await readItems(this.#client, tableName, [key]);
    const slotValue = slot && item?.[slotAttribute(slot.index)]?.B;
    if (!item || (slot && !slotValue)) {
      throw new IdempotencyItemNotFoundError(`expected a marker of ${idempotencyKey}; got none`);
    }
    const response = item[names.response];
    return new IdempotencyRecord({
      idempotencyKey,
      status: IdempotencyRecordStatus.COMPLETED,
      expiryTimestamp: Number(item[names.expiry]?.N),
      payloadHash: slotValue ? hashOfSlot(slotValue, this.#hashPayload()) : item[names.hash]?.S,
      responseData: response ? unmarshall({ response }).response : null,
    });
  }

  /** The hash of the payload whose record is being read. */
  #hashPayload(): string {
    const hasher = this as unknown as PayloadHasher;
    return hasher.getHashedPayload(this.#payload.getStore() as JSONValue);
  }

  protected override async _updateRecord(): Promise<void> {}

  protected override async _deleteRecord(): Promise<void> {}
}

/** What Powertools declares: nothing up to 2.35, and after that the record, which `saveSuccess` then gets. */
type SavedRecord = Awaited<ReturnType<BasePersistenceLayer['saveInProgress']>>;

/** A method that Powertools declares as private. */
interface PayloadHasher {
  getHashedPayload(data: JSONValue): string;
}

/** The record of an earlier or of this commit. */
function complete(
  { idempotencyKey, expiryTimestamp }: IdempotencyRecord,
  committed: Omit<Duplicate, 'kind'>,
): IdempotencyRecord {
  return new IdempotencyRecord({
    idempotencyKey,
    status: IdempotencyRecordStatus.COMPLETED,
    expiryTimestamp: committed.expirySeconds ?? expiryTimestamp,
    payloadHash: committed.payloadHash,
    // Middy takes undefined for no response, and would run the handler for a duplicate.
    responseData: (committed.response ?? null) as JSONValue,
  });
}

/** The value at a path of plain names, such as `detail.id`. Powertools evaluates all other paths. */
function readPath(data: JSONValue, path = ''): unknown {
  if (!/^[a-z_]\w*(\.[a-z_]\w*)*$/i.test(path)) return undefined;
  return path.split('.').reduce<unknown>(readField, data);
}

// JMESPath's functions never change, but Powertools looks them all up by reflection for each evaluation,
// which takes 5 µs for each path and payload. So the layer lets it look them up once.
function rememberFunctions({ jmesPathOptions }: IdempotencyConfig): void {
  const functions = jmesPathOptions?.customFunctions;
  if (!functions) return;
  functions.introspectMethods();
  functions.introspectMethods = () => functions.methods;
}
