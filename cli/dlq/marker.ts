import { GetCommand } from '@aws-sdk/lib-dynamodb';
import {
  isSlotValue,
  type Slot,
  slotAttribute,
  toSlotValue,
} from 'powertools-idempotency-transactional';
import { type Click, hashClick } from '../../lib/clicks/click.ts';
import { clickSlot } from '../../lib/clicks/placed-id.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { clickKeyPrefix, clickMarkerKey } from '../../lib/keys.ts';

/**
 * Whether a marker belongs to this click, or to one with the same id but another code or day. A
 * slot has only part of a hash of both, which different clicks can share.
 */
type Marked = 'this-click' | 'same-hash' | 'another-click';

/** Reads the marker of a click's id; undefined if the click would count. */
export async function readMarker(click: Click, table: TableAccess): Promise<Marked | undefined> {
  const idempotencyKey = `${clickKeyPrefix}#${click.id}`;
  const slot = clickSlot(idempotencyKey);
  return slot
    ? readSlot(click, slot, table)
    : readOwnItem(click, clickMarkerKey(idempotencyKey), table);
}

// A slot blocks its click as long as the sheet exists, even if the sheet's ttl has passed.
async function readSlot(
  click: Click,
  { sheetKey, index }: Slot,
  table: TableAccess,
): Promise<Marked | undefined> {
  const value: unknown = (await getItem(table, sheetKey))?.[slotAttribute(index)];
  if (value === undefined) return undefined;
  const isSame = value instanceof Uint8Array && isSlotValue(value, toSlotValue(hashClick(click)));
  return isSame ? 'same-hash' : 'another-click';
}

// An expired marker that TTL hasn't deleted yet doesn't block its click.
async function readOwnItem(
  click: Click,
  key: Record<string, string>,
  table: TableAccess,
): Promise<Marked | undefined> {
  const marker = await getItem(table, key);
  if (!marker || marker.ttl < Math.floor(Date.now() / 1000)) return undefined;
  const isSame = marker.code === click.code && marker.day === click.day;
  return isSame ? 'this-click' : 'another-click';
}

async function getItem({ client, tableName }: TableAccess, Key: Record<string, string>) {
  const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
  return (await client.send(command)).Item;
}
