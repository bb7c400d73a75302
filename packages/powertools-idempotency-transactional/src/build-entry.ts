import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { TableKeys } from './actions.ts';
import { checkEntry, toActions, toAttributes, toItem, toItemId } from './actions.ts';
import type { JSONValue } from './effects.ts';
import { type Entry, type Marker, markerNames } from './entry.ts';
import { InvalidEffectsError } from './errors.ts';
import type { TransactionalPersistenceLayerOptions } from './options.ts';
import { toSlotMarker } from './sheet.ts';

/** A sheet's expiry is rounded up to this, so that it rarely changes. */
const sheetExpiryStepSeconds = 3_600;

/** Derives from a payload what must be written, and its marker. Throws as `toActions` does. */
export function buildEntry<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
  tables: TableKeys,
  record: IdempotencyRecord,
  payload: Payload,
): Entry {
  const { idempotencyKey, payloadHash = '' } = record;
  const effects = options.effects(payload);
  const { response } = effects;
  const entry: Entry = {
    idempotencyKey,
    payloadHash,
    marker: buildMarker(options, record, payload, response),
    actions: toActions(effects, tables),
    response,
    // Powertools doesn't set one for an invocation that has no time left.
    deadlineMs: record.inProgressExpiryTimestamp ?? Date.now(),
    failures: { causes: [] },
  };
  checkEntry(entry);
  return entry;
}

function buildMarker<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
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
    return toSlotMarker(tableName, slot, payloadHash, steps * sheetExpiryStepSeconds);
  }
  const key = options.markerKey(idempotencyKey);
  const attributes: Record<string, string | number> = {
    ...key,
    [markerNames.expiry]: expiryTimestamp,
    [markerNames.hash]: payloadHash,
  };
  for (const [name, read] of Object.entries(markerAttributes)) attributes[name] = read(payload);
  const item = toItem(attributes);
  if (response !== undefined)
    Object.assign(item, toAttributes({ [markerNames.response]: response }));
  return {
    kind: 'marker',
    itemId: toItemId(tableName, key),
    tableName,
    itemKey: toItem(key),
    // DynamoDB counts names and values. A response is the only value that isn't a string or a number.
    bytes: Buffer.byteLength(JSON.stringify(item)),
    item,
  };
}
