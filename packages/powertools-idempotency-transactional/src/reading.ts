import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { NativeItem } from './effects.ts';
import type { Entry, Item, Marker, Outcome } from './entry.ts';

/** What one action of a cancelled transaction says about its entries. */
export interface Reading {
  outcomes?: ReadonlyMap<Entry, Outcome>;
  /** Other markers with which these entries can be committed. */
  markers?: ReadonlyMap<Entry, Marker>;
  contended?: readonly Entry[];
  sharedRejection?: Error;
}

/** They met contention, or the action doesn't say enough. */
export const contentionOf = (parts: { entry: Entry }[]): Reading => ({
  contended: parts.map(({ entry }) => entry),
});

/** They have this outcome. */
export const outcomeFor = (parts: { entry: Entry }[], outcome: Outcome): Reading => ({
  outcomes: new Map(parts.map(({ entry }) => [entry, outcome])),
});

/** DynamoDB rejected the action: if it has several parts, any of them may be at fault. */
export const rejectionOf = (parts: { entry: Entry }[], error: Error): Reading =>
  parts.length === 1 ? outcomeFor(parts, error) : { sharedRejection: error };

/** Undefined for an item with a number that JavaScript can't represent. */
export function toNative(item: Item): NativeItem | undefined {
  try {
    return unmarshall(item);
  } catch {
    return undefined;
  }
}
