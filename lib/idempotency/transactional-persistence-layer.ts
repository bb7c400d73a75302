import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { JSONValue } from '@aws-lambda-powertools/commons/types';
import {
  IdempotencyConfig,
  IdempotencyItemAlreadyExistsError,
  IdempotencyItemNotFoundError,
  IdempotencyRecordStatus,
} from '@aws-lambda-powertools/idempotency';
import {
  BasePersistenceLayer,
  IdempotencyRecord,
} from '@aws-lambda-powertools/idempotency/persistence';
import type { BasePersistenceLayerOptions } from '@aws-lambda-powertools/idempotency/types';
import { search } from '@aws-lambda-powertools/jmespath';
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import DataLoader from 'dataloader';
import { commitEntries } from './commit.ts';
import {
  type Committed,
  type Duplicate,
  type Effects,
  type Entry,
  expiryAttribute,
  groupByItem,
  type Item,
  type Outcome,
  toItem,
  validationAttribute,
} from './entry.ts';
import { ReceiptMissingError, UnsafeConfigurationError } from './errors.ts';

/** Held back from the invocation's time, to report uncommitted records before it ends. */
const reserveMs = 500;

/** For reading a marker that DynamoDB did not return; within the reserve. */
const maxReadMs = 250;

/** If Powertools has no Lambda context, there is no invocation to take the deadline from. */
const defaultDeadlineMs = 10_000;

export interface TransactionalPersistenceLayerOptions<Payload> {
  /** Created by `createCommitClient`. */
  client: DynamoDBClient;
  tableName: string;
  /** Derives the effects of a payload. It must be pure: it runs for each delivery. */
  effects: (payload: Payload) => Effects;
  /** The marker's primary key, partition key first, from the idempotency key `<keyPrefix>#<key>`. */
  markerKey: (idempotencyKey: string) => { [attribute: string]: string };
}

/**
 * An idempotency record that is the transaction: one transaction commits the marker of a payload
 * and all its effects, before the wrapped function runs. Neither ever exists without the other, so
 * there is no INPROGRESS state, and a crash leaves all or nothing. Records that arrive in one tick,
 * such as a batch, share transactions.
 *
 * The wrapped function runs after the commit, for the first delivery only. It must ask for the
 * receipt, so that it fails if Powertools bypassed the layer.
 *
 * @example
 * ```ts
 * const layer = new TransactionalPersistenceLayer<Order>({
 *   client,
 *   tableName: 'orders',
 *   effects: ({ customer, cents }) => ({
 *     marker: { customer },
 *     increments: [
 *       { key: { PK: `CUSTOMER#${customer}`, SK: 'TOTAL' }, attribute: 'cents', by: cents },
 *     ],
 *   }),
 *   markerKey: (idempotencyKey) => ({ PK: idempotencyKey, SK: 'ORDER' }),
 * });
 * const bookOnce = makeIdempotent(async (order: Order) => layer.receiptOf(order), {
 *   persistenceStore: layer,
 *   keyPrefix: 'ORDER',
 *   config: new IdempotencyConfig({ eventKeyJmesPath: 'id', throwOnNoIdempotencyKey: true }),
 * });
 * ```
 */
export class TransactionalPersistenceLayer<Payload extends object> extends BasePersistenceLayer {
  readonly #options: TransactionalPersistenceLayerOptions<Payload>;
  readonly #loader: DataLoader<Entry, Committed | Duplicate>;
  readonly #receipts = new WeakMap<object, IdempotencyRecord>();
  // The base class passes the record to _putRecord, but not the payload.
  readonly #payload = new AsyncLocalStorage<Payload>();
  #config: IdempotencyConfig | undefined;

  /** @throws {UnsafeConfigurationError} if POWERTOOLS_IDEMPOTENCY_DISABLED is set. */
  constructor(options: TransactionalPersistenceLayerOptions<Payload>) {
    super();
    if (!new IdempotencyConfig({}).isEnabled()) {
      throw new UnsafeConfigurationError(
        'POWERTOOLS_IDEMPOTENCY_DISABLED is set, so nothing would be written. Unset it.',
      );
    }
    this.#options = options;
    const { client, tableName, markerKey } = options;
    const [keyAttribute = ''] = Object.keys(markerKey(''));
    const chance = { random: Math.random, newToken: randomUUID };
    const commit = { client, tableName, keyAttribute, ...chance };
    this.#loader = new DataLoader<Entry, Committed | Duplicate>(
      (entries): Promise<Outcome[]> => commitEntries(commit, [...entries]),
      { cache: false },
    );
  }

  /** @throws {UnsafeConfigurationError} if a payload without a key could bypass the layer. */
  override configure(options: BasePersistenceLayerOptions): void {
    if (!options.config.throwOnNoIdempotencyKey) {
      throw new UnsafeConfigurationError(
        'throwOnNoIdempotencyKey is false, so a payload without a key would be lost. Set it to true.',
      );
    }
    this.#config ??= options.config;
    super.configure(options);
  }

  override saveInProgress(data: JSONValue, remainingTimeInMillis?: number): Promise<void> {
    return this.#payload.run(data as Payload, () =>
      super.saveInProgress(data, remainingTimeInMillis),
    );
  }

  /**
   * The idempotency key under which this very payload object was committed.
   *
   * @throws {ReceiptMissingError} if it was not.
   */
  receiptOf(payload: Payload): string {
    const receipt = this.#receipts.get(payload);
    if (receipt === undefined) {
      throw new ReceiptMissingError(
        'expected a committed payload; got one that bypassed the layer',
      );
    }
    return receipt.idempotencyKey;
  }

  // The record is complete since the commit; it only goes into the cache.
  override async saveSuccess(data: JSONValue): Promise<void> {
    const record = this.#receipts.get(data as Payload);
    if (record) this.processExistingRecord(record, record);
  }

  // A readable key lets people and tools find a marker by the id that they know.
  protected override getHashedIdempotencyKey(data: JSONValue): string {
    const { eventKeyJmesPath = '', jmesPathOptions } = this.#config ?? {};
    const key = eventKeyJmesPath && search(eventKeyJmesPath, data, jmesPathOptions);
    return typeof key === 'string' && key !== ''
      ? `${this.idempotencyKeyPrefix}#${key}`
      : super.getHashedIdempotencyKey(data);
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    const payload = this.#payload.getStore();
    if (!payload) throw new ReceiptMissingError('expected a payload from saveInProgress; got none');
    const entry = this.#toEntry(record, payload);
    const outcome = await this.#loader.load(entry);
    if (outcome.kind === 'duplicate') {
      throw new IdempotencyItemAlreadyExistsError(
        `already committed: ${record.idempotencyKey}`,
        outcome.marker && this.#toRecord(record.idempotencyKey, outcome.marker),
      );
    }
    this.#receipts.set(payload, this.#toRecord(record.idempotencyKey, entry.marker));
  }

  protected override async _getRecord(idempotencyKey: string): Promise<IdempotencyRecord> {
    const { client, tableName, markerKey } = this.#options;
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: tableName,
        Key: toItem(markerKey(idempotencyKey)),
        ConsistentRead: true,
      }),
      { abortSignal: AbortSignal.timeout(maxReadMs) },
    );
    if (!Item) {
      throw new IdempotencyItemNotFoundError(`expected the marker ${idempotencyKey}; got none`);
    }
    return this.#toRecord(idempotencyKey, Item);
  }

  // Never called, because saveSuccess updates nothing.
  protected override async _updateRecord(): Promise<void> {}

  // A commit stays, even if the wrapped function then fails.
  protected override async _deleteRecord(): Promise<void> {}

  #toEntry(record: IdempotencyRecord, payload: Payload): Entry {
    const { idempotencyKey, payloadHash = '', expiryTimestamp = 0 } = record;
    const { marker, increments } = this.#options.effects(payload);
    const endMs = record.inProgressExpiryTimestamp ?? Date.now() + defaultDeadlineMs;
    return {
      idempotencyKey,
      payloadHash,
      marker: toItem({
        ...marker,
        ...this.#options.markerKey(idempotencyKey),
        [expiryAttribute]: expiryTimestamp,
        [validationAttribute]: payloadHash,
      }),
      updates: groupByItem(increments),
      deadlineMs: endMs - reserveMs,
    };
  }

  #toRecord(idempotencyKey: string, marker: Item): IdempotencyRecord {
    return new IdempotencyRecord({
      idempotencyKey,
      status: IdempotencyRecordStatus.COMPLETED,
      expiryTimestamp: Number(marker[expiryAttribute]?.N),
      payloadHash: marker[validationAttribute]?.S,
    });
  }
}
