import { hash } from 'node:crypto';
import type { CancellationReason, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../fixtures/dynamodb-items.ts';
import { placeOf } from '../simulation/clicks/sheet-ledger.ts';
import { textOf } from '../simulation/dynamodb/item-values.ts';
import { traceBounds } from './trace-events.ts';

/** A click as far as the model knows it. */
export interface TracedClick {
  id: string;
  code: string;
  day: string;
}

/** What stands for a message that isn't a click. */
export const poison: TracedClick = { id: 'poison', code: 'poison', day: 'never' };

/** A message in a transaction, and the action that writes its marker. */
export interface SentEntry {
  position: number;
  action: number;
  click: TracedClick;
  slot?: string;
}

const failed = 'ConditionalCheckFailed';

/**
 * What a cancellation tells of the messages, as bits by position: the marker exists and is in the response, or isn't in
 * it; the link can't be raised; contention. `read`: an item as it is stored at this instant.
 */
export function readRefusals(
  entries: SentEntry[],
  actions: TransactWriteItem[],
  reasons: CancellationReason[],
  read: (key: Item) => Item | undefined,
): Record<string, number> {
  let [shown, bare, refused, contended] = [0, 0, 0, 0];
  const codeAt = (action: number) => reasons[action]?.Code ?? 'None';
  const isTransient = (action: number) =>
    !['None', failed, 'ValidationError'].includes(codeAt(action));
  for (const { position, action, click, slot } of entries) {
    const bit = 1 << position;
    if (isTransient(action)) contended |= bit;
    else if (codeAt(action) === failed) {
      const item = reasons[action]?.Item;
      const key = actions[action]?.Update?.Key as Item | undefined;
      const isHere = !slot || (item ?? (key && read(key)))?.[slot];
      if (isHere && item) shown |= bit;
      else if (isHere) bare |= bit;
      else if (!item) contended |= bit;
    }
    // Nothing else is known of a message whose marker is not.
    const isJudged = ((contended | bare) & bit) === 0;
    for (const [index, { Update }] of actions.entries()) {
      if (!Update || !raises(click, Update.Key as Item)) continue;
      const isOnlyOne =
        entries.filter((entry) => raises(entry.click, Update.Key as Item)).length === 1;
      const isInvalid = codeAt(index) === 'ValidationError' && isOnlyOne;
      if (isTransient(index)) contended |= bit;
      else if (isJudged && (isInvalid || codeAt(index) === failed)) refused |= bit;
    }
  }
  return { shown, bare, refused, contended };
}

// Whether a click raises this item: its link, or the day of its link.
function raises({ code, day }: TracedClick, key: Item): boolean {
  const sort = textOf(key, 'SK');
  return textOf(key, 'PK') === `LINK#${code}` && (sort === 'META' || sort === `STAT#${day}`);
}

/** The messages of the batch whose marker an action writes: the first of each, by id and payload. */
export function findEntries(
  batch: TracedClick[],
  { Put, Update }: TransactWriteItem,
  action: number,
): SentEntry[] {
  const item = (Put?.Item ?? Update?.Key) as Item;
  const partition = textOf(item, 'PK');
  const find = (isIt: (click: TracedClick) => boolean, slot?: string): SentEntry => {
    const index = batch.findIndex(isIt);
    // No message of the batch has this marker, and the model allows no such transaction.
    const position = index < 0 ? traceBounds.BATCH - 1 : index;
    return { position, action, click: batch[index] ?? poison, ...(slot && { slot }) };
  };
  const [code, day] = [textOf(item, 'code'), textOf(item, 'day')];
  const isMarked = (click: TracedClick) => click.code === code && click.day === day;
  if (partition.startsWith('CLICK#')) {
    return [find((click) => partition === `CLICK#${click.id}` && isMarked(click))];
  }
  if (!partition.startsWith('CLICKS#')) return [];
  const values = Object.entries((Update?.ExpressionAttributeValues ?? {}) as Item);
  return values.flatMap(([name, value]) => {
    if (!('B' in value)) return [];
    const slot = name.slice(1);
    const isIt = (click: TracedClick) => {
      const place = placeOf(click.id);
      return place?.key === partition && place.slot === slot && hashOf(click) === String(value.B);
    };
    return find(isIt, slot);
  });
}

function hashOf({ code, day }: TracedClick): string {
  return hash('md5', JSON.stringify([code, day]), 'buffer').toString('base64', 0, 4);
}
