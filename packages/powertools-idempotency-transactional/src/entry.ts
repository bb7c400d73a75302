import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Increment, NativeItem } from './effects.ts';

/** TransactWriteItems accepts at most 100 actions. */
export const maxItems = 100;

/** Epoch seconds, rounded up: a marker that has expired for Powertools has expired here too. */
export const toSeconds = (epochMs: number) => Math.ceil(epochMs / 1000);

/** A DynamoDB item with low-level attribute values. */
export type Item = Record<string, AttributeValue>;

/** The names of a marker's attributes. */
export interface MarkerNames {
  /** Its expiry in epoch seconds. */
  expiry: string;
  /** Its payload's hash. */
  hash: string;
  /** Its response. */
  response: string;
}

/** One payload to commit. */
export interface Entry {
  readonly idempotencyKey: string;
  readonly payloadHash: string;
  /** Absent if the entry is committed only within one call, by `commitEffects`. */
  readonly marker?: Marker;
  /** What the entry does besides setting its marker. */
  readonly actions: readonly Action[];
  /** Stored in the marker. */
  readonly response?: unknown;
  /** When its invocation ends, in epoch milliseconds. */
  readonly deadlineMs: number;
}

/** What an entry does to one item. */
export type Action = IncrementAction | WriteAction;

/** How the table shows that an entry is committed: an item, or a slot of a sheet. */
export type Marker = ItemMarker | SlotMarker;

interface OnItem {
  /** Identifies the item in all tables. */
  itemId: string;
  tableName: string;
  itemKey: Item;
  /** What it adds to the size of a transaction. */
  bytes: number;
}

export interface ItemMarker extends OnItem {
  kind: 'marker';
  names: MarkerNames;
  /** The complete item, including its key. */
  item: Item;
  /** There is an expired marker of this key that TTL hasn't deleted yet. */
  mayReplace?: boolean;
}

/** All slots of a transaction on the same sheet share one update. */
export interface SlotMarker extends OnItem {
  kind: 'slot';
  names: MarkerNames;
  attribute: string;
  value: Uint8Array;
  /** Epoch seconds. The sheet must not expire earlier. */
  expirySeconds: number;
}

/** The entry's increments of one item. All entries of a transaction share one update of the item. */
export interface IncrementAction extends OnItem {
  kind: 'increment';
  key: Increment['key'];
  increments: readonly Increment[];
}

/** A write. Nothing else in its transaction may touch its item, except for an equal check. */
export interface WriteAction extends OnItem {
  kind: 'write';
  key: NativeItem;
  request: TransactWriteItem;
  /** Equal for writes of which one does as much as several. Absent if each must be made. */
  sameAs?: string;
}

/** The result for one entry. An Error says why it wasn't committed. */
export type Outcome = { kind: 'committed' } | Duplicate | Error;

/** The key was committed before. */
export interface Duplicate {
  kind: 'duplicate';
  /** The hash of the committed payload, or its stored prefix. */
  payloadHash: string | undefined;
  /** The response stored with the marker. */
  response?: unknown;
  /** The value of the slot. It may match another payload of this key. */
  slotValue?: Uint8Array;
  /** Epoch seconds until which the key stays a duplicate. Defaults to a new marker's lifetime. */
  expirySeconds?: number;
}

export function allActionsOf({ marker, actions }: Entry): readonly (Marker | Action)[] {
  return marker ? [marker, ...actions] : actions;
}

/**
 * Actions of several entries on one item become one action of a transaction if this is the same for
 * all. It's undefined for an action that can't be shared.
 */
export function sharingOf(action: Marker | Action): string | undefined {
  if (action.kind === 'write') return action.sameAs;
  return action.kind === 'marker' ? undefined : action.kind;
}

/** Whether two entries do the same to the same items. */
export function hasSameEffects(a: Entry, b: Entry): boolean {
  return a.actions === b.actions || describeActions(a) === describeActions(b);
}

function describeActions({ actions }: Entry): string {
  const effects = actions.map((action) => [
    action.itemId,
    action.kind === 'increment' ? action.increments : action.request,
  ]);
  const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
  return JSON.stringify(effects, toText);
}
