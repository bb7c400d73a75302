import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { TableKeys } from './actions.ts';
import { checkEntry, toActions, toAttributes, toItem, toItemId } from './actions.ts';
import { checkEffects } from './check-effects.ts';
import type { Effects } from './effects.ts';
import type { Entry, Marker } from './entry.ts';
import { InvalidEffectsError } from './errors.ts';
import { invariant } from './invariant.ts';
import type { MarkerSettings, TransactionalPersistenceLayerOptions } from './options.ts';
import { toSlotMarker } from './slot-marker.ts';

/** A sheet's expiry is rounded up to this, so that it rarely changes. */
const sheetExpiryStepSeconds = 3_600;

/** Derives from a payload what must be written, and its marker. Throws as `toActions` does. */
export function buildEntry<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
  settings: MarkerSettings,
  tables: TableKeys,
  record: IdempotencyRecord,
  payload: Payload,
): Entry {
  const { idempotencyKey, payloadHash = '' } = record;
  const effects: Effects = options.effects(payload);
  checkEffects(effects);
  const { response } = effects;
  const entry: Entry = {
    idempotencyKey,
    payloadHash,
    marker: buildMarker(options, settings, record, payload, response),
    actions: toActions(effects, tables),
    response,
    // Powertools doesn't set one for an invocation that has no time left.
    deadlineMs: record.inProgressExpiryTimestamp ?? Date.now(),
  };
  checkEntry(entry);
  const { deadlineMs } = entry;
  // Without one, it would be tried for ever.
  invariant(Number.isFinite(deadlineMs), 'a deadline in epoch milliseconds', deadlineMs);
  return entry;
}

function buildMarker<Payload>(
  options: TransactionalPersistenceLayerOptions<Payload>,
  settings: MarkerSettings,
  { idempotencyKey, payloadHash = '', expiryTimestamp = 0 }: IdempotencyRecord,
  payload: Payload,
  response?: unknown,
): Marker {
  const { tableName, names } = settings;
  const isLater = Number.isSafeInteger(expiryTimestamp) && expiryTimestamp > Date.now() / 1_000;
  // TTL would delete the marker, and its payload's next delivery would be committed again.
  invariant(isLater, 'a marker to expire in the future, in epoch seconds', expiryTimestamp);
  const slot = options.slot?.(idempotencyKey);
  if (slot) {
    if (response !== undefined) {
      throw new InvalidEffectsError(
        'expected no response for a payload whose marker is on a sheet; got one',
      );
    }
    const steps = Math.ceil(expiryTimestamp / sheetExpiryStepSeconds);
    return toSlotMarker(settings, slot, payloadHash, steps * sheetExpiryStepSeconds);
  }
  const key = settings.keyOf(idempotencyKey);
  const attributes: Record<string, string | number> = {
    ...key,
    [names.expiry]: expiryTimestamp,
    [names.hash]: payloadHash,
  };
  for (const [name, read] of Object.entries(options.markerAttributes ?? {})) {
    attributes[name] = read(payload);
  }
  const item = toItem(attributes);
  if (response !== undefined) Object.assign(item, toAttributes({ [names.response]: response }));
  return {
    kind: 'marker',
    itemId: toItemId(tableName, key),
    tableName,
    itemKey: toItem(key),
    // DynamoDB counts names and values. A response is the only value that isn't a string or a number.
    bytes: Buffer.byteLength(JSON.stringify(item)),
    names,
    item,
  };
}
