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
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import DataLoader from 'dataloader';
import { commitEntries } from './commit.ts';
import {
  type Committed,
  type Duplicate,
  type Effects,
  type Entry,
  expiryAttribute,
  groupByItem,
  type Marker,
  type Outcome,
  toItem,
  validationAttribute,
} from './entry.ts';
import { ReceiptMissingError, UnsafeConfigurationError } from './errors.ts';
import { type Place, toSlotMarker } from './page.ts';

/**
 * Held back from the invocation's time, to report uncommitted records before it ends. A record takes
 * about 0.05 ms of a whole core; the smallest functions get a fraction of one.
 */
const reserveMs = 500;
const reserveMsPerRecord = 2;

/** A page's expiry is rounded up to so many seconds, so that it seldom moves. */
const pageExpiryStepSeconds = 3_600;

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
  /**
   * The place of a key whose marker is a slot of a page; undefined for a key whose marker is an item
   * of its own. A page costs as much to write as a marker, however many of its slots. No two keys may
   * share a place, and no page the key of a marker; else one record passes for another's duplicate.
   * A slot blocks its key as long as the page exists, so at least until the marker would expire.
   */
  place?: (idempotencyKey: string) => Place | undefined;
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
      (entries): Promise<Outcome[]> => {
        const heldBackMs = reserveMs + reserveMsPerRecord * entries.length;
        for (const entry of entries) entry.deadlineMs -= heldBackMs;
        return commitEntries(commit, [...entries]);
      },
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
    if (!this.#config) rememberFunctions(options.config);
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
        complete(record, outcome),
      );
    }
    this.#receipts.set(payload, complete(record, entry));
  }

  // Never called, because the commit returns the record of a duplicate.
  protected override async _getRecord(idempotencyKey: string): Promise<IdempotencyRecord> {
    throw new IdempotencyItemNotFoundError(`expected ${idempotencyKey} from a commit; got none`);
  }

  // Never called, because saveSuccess updates nothing.
  protected override async _updateRecord(): Promise<void> {}

  // A commit stays, even if the wrapped function then fails.
  protected override async _deleteRecord(): Promise<void> {}

  #toEntry(record: IdempotencyRecord, payload: Payload): Entry {
    const { idempotencyKey, payloadHash = '' } = record;
    const effects = this.#options.effects(payload);
    return {
      idempotencyKey,
      payloadHash,
      marker: this.#toMarker(record, effects),
      updates: groupByItem(effects.increments),
      deadlineMs: record.inProgressExpiryTimestamp ?? Date.now() + defaultDeadlineMs,
    };
  }

  #toMarker(record: IdempotencyRecord, effects: Effects): Marker {
    const { idempotencyKey, payloadHash = '', expiryTimestamp = 0 } = record;
    const place = this.#options.place?.(idempotencyKey);
    if (place) {
      const steps = Math.ceil(expiryTimestamp / pageExpiryStepSeconds);
      return toSlotMarker(place, payloadHash, steps * pageExpiryStepSeconds);
    }
    const key = this.#options.markerKey(idempotencyKey);
    const expiry = { [expiryAttribute]: expiryTimestamp, [validationAttribute]: payloadHash };
    return {
      kind: 'item',
      itemKey: toItem(key),
      item: toItem({ ...effects.marker, ...key, ...expiry }),
    };
  }
}

/** The record of what was committed, now or before. */
function complete(
  { idempotencyKey, expiryTimestamp }: IdempotencyRecord,
  committed: Pick<Duplicate, 'payloadHash' | 'expirySeconds'>,
): IdempotencyRecord {
  return new IdempotencyRecord({
    idempotencyKey,
    status: IdempotencyRecordStatus.COMPLETED,
    expiryTimestamp: committed.expirySeconds ?? expiryTimestamp,
    payloadHash: committed.payloadHash,
  });
}

// JMESPath's functions never change, but Powertools looks them all up for each evaluation.
function rememberFunctions({ jmesPathOptions }: IdempotencyConfig): void {
  const functions = jmesPathOptions?.customFunctions;
  if (!functions) return;
  functions.introspectMethods();
  functions.introspectMethods = () => functions.methods;
}
