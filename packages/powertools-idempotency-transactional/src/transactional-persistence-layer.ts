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
import DataLoader from 'dataloader';
import type { TableKeys } from './actions.ts';
import { buildEntry } from './build-entry.ts';
import { commitEntries } from './commit.ts';
import type { JSONValue } from './effects.ts';
import type { Duplicate, Entry, Outcome } from './entry.ts';
import { ReceiptMissingError, UnsafeConfigurationError } from './errors.ts';
import { checkConfig, checkOptions, type TransactionalPersistenceLayerOptions } from './options.ts';

/**
 * Time held back at the end of an invocation to report uncommitted payloads. Reporting a payload takes
 * at most as long as preparing it did, whatever the function's share of a core, so that time is added.
 * At least half of what remains is left to commit.
 */
const reserveMs = 500;
const maxReserveShare = 1 / 2;

/** DynamoDB accepts 1,024 bytes in a sort key. Longer idempotency keys are hashed. */
const maxKeyBytes = 1_000;

/**
 * An idempotency record that is the transaction: one TransactWriteItems commits a payload's marker and
 * all its effects, before the wrapped function runs. So there is no INPROGRESS state, and a crash
 * leaves all or nothing. Payloads that arrive in one tick, such as those of a batch, share
 * transactions. The wrapped function runs after the commit, at most once for each key. It must ask
 * for the receipt, so that it fails if Powertools bypassed the layer.
 *
 * How it uses `BasePersistenceLayer`: `saveInProgress` commits the marker and the effects, or throws
 * Powertools' error for a duplicate, with the record that is complete already. `saveSuccess` only
 * fills the cache, and `deleteRecord` does nothing, because a commit stays. The base
 * class derives key, hash and expiry, and passes `_putRecord` that record, but not the payload that the
 * effects are derived from. The payload travels in an AsyncLocalStorage, because many invocations may
 * be between `saveInProgress` and `_putRecord` at once, so a field could hold another one's.
 *
 * The README has an example.
 */
export class TransactionalPersistenceLayer<Payload extends object> extends BasePersistenceLayer {
  readonly #options: TransactionalPersistenceLayerOptions<Payload>;
  readonly #tables: TableKeys;
  readonly #loader: DataLoader<Entry, Promise<Outcome>>;
  readonly #receipts = new WeakMap<object, IdempotencyRecord>();
  readonly #payload = new AsyncLocalStorage<Payload>();
  /** The prefix of a function that sets none. */
  readonly #defaultPrefix = this.idempotencyKeyPrefix;
  #config: IdempotencyConfig | undefined;
  #preparingSinceMs: number | undefined;

  /** @throws {UnsafeConfigurationError} if effects could be lost or repeated with these options. */
  constructor(options: TransactionalPersistenceLayerOptions<Payload>) {
    super();
    this.#options = options;
    this.#tables = checkOptions(options);
    const commit = { client: options.client, random: Math.random, newToken: randomUUID };
    this.#loader = new DataLoader(
      async (entries) => {
        const nowMs = Date.now();
        const wantedMs = reserveMs + nowMs - (this.#preparingSinceMs ?? nowMs);
        this.#preparingSinceMs = undefined;
        const holdBack = (entry: Entry): Entry => {
          const remainingMs = Math.max(0, entry.deadlineMs - nowMs);
          const heldBackMs = Math.min(wantedMs, remainingMs * maxReserveShare);
          return { ...entry, deadlineMs: entry.deadlineMs - heldBackMs };
        };
        return commitEntries(commit, entries.map(holdBack));
      },
      { cache: false },
    );
  }

  /** @throws {UnsafeConfigurationError} if effects could be lost or repeated with this config. */
  override configure(options: BasePersistenceLayerOptions): void {
    checkConfig(this.#options, options.config);
    if (!this.#config) rememberFunctions(options.config);
    this.#config ??= options.config;
    // Powertools would keep the prefix of the function that was called last.
    this.idempotencyKeyPrefix = this.#defaultPrefix;
    super.configure(options);
    if (this.idempotencyKeyPrefix.includes('#')) {
      throw new UnsafeConfigurationError(
        `keyPrefix is "${this.idempotencyKeyPrefix}". Leave out #, which separates it from the key: ` +
          'otherwise two prefixes could have a key in common.',
      );
    }
  }

  override async saveInProgress(data: JSONValue, remainingTimeInMillis?: number): Promise<void> {
    const remainingMs = remainingTimeInMillis ?? this.#options.commitTimeoutMs;
    if (remainingMs === undefined) {
      throw new UnsafeConfigurationError(
        'there is no Lambda context, so the layer does not know when the invocation ends. Pass the ' +
          "context as the wrapped function's second argument, register it with the config's " +
          "registerLambdaContext, or set the layer's commitTimeoutMs.",
      );
    }
    return this.#payload.run(data as Payload, () => super.saveInProgress(data, remainingMs));
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
   * The response that was stored for this very payload object; null if its effects have none.
   *
   * @throws {ReceiptMissingError} if it wasn't committed.
   */
  responseOf(payload: Payload): JSONValue {
    return this.#requireReceipt(payload).responseData ?? null;
  }

  #requireReceipt(payload: Payload): IdempotencyRecord {
    const receipt = this.#receipts.get(payload);
    if (receipt) return receipt;
    throw new ReceiptMissingError('expected a committed payload; got one that bypassed the layer');
  }

  override async saveSuccess(data: JSONValue): Promise<void> {
    const record = this.#receipts.get(data as Payload);
    if (record) this.processExistingRecord(record, record);
  }

  /** Does nothing, because a commit stays. */
  override async deleteRecord(): Promise<void> {}

  // With a readable key, people and tools find a marker by the id that they know.
  protected override getHashedIdempotencyKey(data: JSONValue): string {
    const key = readPath(data, this.#config?.eventKeyJmesPath);
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
    const entry = buildEntry(this.#options, this.#tables, record, payload);
    this.#preparingSinceMs ??= Date.now();
    const outcome = await this.#loader.load(entry);
    if (outcome instanceof Error) throw outcome;
    if (outcome.kind === 'duplicate') {
      throw new IdempotencyItemAlreadyExistsError(
        `already committed: ${record.idempotencyKey}`,
        complete(record, outcome),
      );
    }
    this.#receipts.set(payload, complete(record, entry));
  }

  // Never called, because a commit returns the record of a duplicate.
  protected override async _getRecord(idempotencyKey: string): Promise<IdempotencyRecord> {
    throw new IdempotencyItemNotFoundError(`expected ${idempotencyKey} from a commit; got none`);
  }

  protected override async _updateRecord(): Promise<void> {}

  protected override async _deleteRecord(): Promise<void> {}
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
    // Middy takes undefined for no answer, and would run the handler for a duplicate.
    responseData: committed.response ?? null,
  });
}

/** The value at a path of plain names, such as `detail.id`. Powertools evaluates all other paths. */
function readPath(data: JSONValue, path = ''): unknown {
  if (!/^[a-z_]\w*(\.[a-z_]\w*)*$/i.test(path)) return undefined;
  return path.split('.').reduce<unknown>((value, name) => Object(value)[name], data);
}

// JMESPath's functions never change, but Powertools looks them all up for each evaluation.
function rememberFunctions({ jmesPathOptions }: IdempotencyConfig): void {
  const functions = jmesPathOptions?.customFunctions;
  if (!functions) return;
  functions.introspectMethods();
  functions.introspectMethods = () => functions.methods;
}
