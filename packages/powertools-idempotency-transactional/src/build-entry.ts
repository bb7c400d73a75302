import type { JSONValue } from '@aws-lambda-powertools/commons/types';
import { IdempotencyRecordStatus } from '@aws-lambda-powertools/idempotency';
import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Entry, groupByItem, type Marker, toItem } from './entry.ts';
import { InvalidEffectsError } from './errors.ts';
import type { LayerSchema, TransactionalPersistenceLayerOptions } from './options.ts';
import { toSlotMarker } from './sheet.ts';
import { checkEntry, toOwnWrite } from './write.ts';

/** A sheet's expiry is rounded up to so many seconds, so that it seldom moves. */
const sheetExpiryStepSeconds = 3_600;

/**
 * What one record must write, and what marks it.
 *
 * @throws {InvalidEffectsError} if no transaction can hold it.
 * @throws {TypeError} for a value that DynamoDB does not take.
 */
export function buildEntry<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
  schema: LayerSchema,
  record: IdempotencyRecord,
  payload: Payload,
): Entry {
  const { idempotencyKey, payloadHash = '' } = record;
  const { increments = [], writes = [], response } = options.effects(payload);
  const entry: Entry = {
    idempotencyKey,
    payloadHash,
    marker: buildMarker(options, schema, record, payload, response),
    updates: groupByItem(increments, schema.tableName),
    writes: writes.map((write) => toOwnWrite(write, schema.tables)),
    ...(response !== undefined && { response }),
    // Powertools sets none for an invocation that has no time left.
    deadlineMs: record.inProgressExpiryTimestamp ?? Date.now(),
  };
  checkEntry(entry);
  return entry;
}

function buildMarker<Payload>(
  {
    place: findPlace,
    markerKey,
    markerAttributes = {},
  }: TransactionalPersistenceLayerOptions<Payload>,
  { expiryAttr, validationKeyAttr, dataAttr, powertools }: LayerSchema,
  { idempotencyKey, payloadHash = '', expiryTimestamp = 0 }: IdempotencyRecord,
  payload: Payload,
  response?: JSONValue,
): Marker {
  const place = findPlace?.(idempotencyKey);
  if (place) {
    if (response !== undefined) {
      throw new InvalidEffectsError('expected no response of a record whose marker is on a sheet');
    }
    const steps = Math.ceil(expiryTimestamp / sheetExpiryStepSeconds);
    return toSlotMarker(place, payloadHash, steps * sheetExpiryStepSeconds);
  }
  const key = markerKey(idempotencyKey);
  const attributes: Record<string, string | number> = {
    ...key,
    [expiryAttr]: expiryTimestamp,
    [validationKeyAttr]: payloadHash,
  };
  if (powertools) attributes[powertools.statusAttr] = IdempotencyRecordStatus.COMPLETED;
  for (const [name, read] of Object.entries(markerAttributes)) attributes[name] = read(payload);
  const item = toItem(attributes);
  if (response !== undefined) Object.assign(item, marshall({ [dataAttr]: response }));
  return { kind: 'item', itemKey: toItem(key), item };
}
