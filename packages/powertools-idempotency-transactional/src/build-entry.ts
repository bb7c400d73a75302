import { IdempotencyRecordStatus } from '@aws-lambda-powertools/idempotency';
import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import { marshall } from '@aws-sdk/util-dynamodb';
import { checkEntry, toActions, toItem, toItemId } from './actions.ts';
import type { JSONValue } from './effects.ts';
import type { Entry, Marker, MarkerSchema } from './entry.ts';
import { InvalidEffectsError } from './errors.ts';
import type { LayerSchema, TransactionalPersistenceLayerOptions } from './options.ts';
import { toSlotMarker } from './sheet.ts';

/** A sheet's expiry is rounded up to this, so that it rarely changes. */
const sheetExpiryStepSeconds = 3_600;

/** Derives from a payload what must be written, and its marker. Throws as `toActions` does. */
export function buildEntry<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
  schema: LayerSchema,
  record: IdempotencyRecord,
  payload: Payload,
): Entry {
  const { idempotencyKey, payloadHash = '' } = record;
  const effects = options.effects(payload);
  const { response } = effects;
  const entry: Entry = {
    idempotencyKey,
    payloadHash,
    marker: buildMarker(options, schema.marker, record, payload, response),
    actions: toActions(effects, schema.tables),
    response,
    // Powertools doesn't set one for an invocation that has no time left.
    deadlineMs: record.inProgressExpiryTimestamp ?? Date.now(),
  };
  checkEntry(entry);
  return entry;
}

function buildMarker<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
  schema: MarkerSchema,
  { idempotencyKey, payloadHash = '', expiryTimestamp = 0 }: IdempotencyRecord,
  payload: Payload,
  response?: JSONValue,
): Marker {
  const { tableName, markerAttributes = {} } = options;
  const slot = options.slot?.(idempotencyKey);
  if (slot) {
    if (response !== undefined) {
      throw new InvalidEffectsError(
        'expected no response for a payload whose marker is on a sheet; got one',
      );
    }
    const steps = Math.ceil(expiryTimestamp / sheetExpiryStepSeconds);
    return toSlotMarker(tableName, schema, slot, payloadHash, steps * sheetExpiryStepSeconds);
  }
  const key = options.markerKey(idempotencyKey);
  const attributes: Record<string, string | number> = {
    ...key,
    [schema.expiryAttr]: expiryTimestamp,
    [schema.validationKeyAttr]: payloadHash,
  };
  const { powertools } = schema;
  if (powertools) attributes[powertools.statusAttr] = IdempotencyRecordStatus.COMPLETED;
  for (const [name, read] of Object.entries(markerAttributes)) attributes[name] = read(payload);
  const item = toItem(attributes);
  if (response !== undefined) Object.assign(item, marshall({ [schema.dataAttr]: response }));
  return {
    kind: 'marker',
    schema,
    itemId: toItemId(tableName, key),
    tableName,
    itemKey: toItem(key),
    // DynamoDB counts names and values. A response is the only value that isn't a string or a number.
    bytes: Buffer.byteLength(JSON.stringify(item)),
    item,
  };
}
