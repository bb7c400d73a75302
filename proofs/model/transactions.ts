import { createHash } from 'node:crypto';
import type { TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../fixtures/dynamodb-items.ts';
import { placeOf } from '../simulation/clicks/sheet-ledger.ts';
import { textOf } from '../simulation/dynamodb/item-values.ts';
import type { Refusals, TracedClick } from './recorded-event.ts';
import { traceBounds } from './trace-events.ts';

/** A batch that an invocation got. */
export interface Batch {
  invocation: string;
  clicks: TracedClick[];
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

interface Reason {
  Code: string;
  Item?: Item;
}

const failed = 'ConditionalCheckFailed';

/** `read`: an item as it is stored at this instant. */
export function readRefusals(
  entries: SentEntry[],
  { TransactItems = [] }: TransactWriteItemsInput,
  reasons: Reason[],
  read: (key: Item) => Item | undefined,
): Refusals {
  const refusals: Refusals = { shown: [], bare: [], refused: [], contended: [] };
  const isTransient = (index: number) =>
    !['None', failed, 'ValidationError'].includes(codeAt(index));
  const codeAt = (index: number) => reasons[index]?.Code ?? 'None';
  for (const { position, action, click, slot } of entries) {
    const update = TransactItems[action]?.Update;
    if (isTransient(action)) refusals.contended.push(position);
    else if (codeAt(action) === failed) {
      const item = reasons[action]?.Item;
      const stored = item ?? (update && read(update.Key as Item));
      if (!slot || stored?.[slot]) (item ? refusals.shown : refusals.bare).push(position);
      else if (!item) refusals.contended.push(position);
    }
    // Nothing else is known of a message whose marker is not.
    const isUnjudged = refusals.contended.includes(position) || refusals.bare.includes(position);
    for (const [index, { Update }] of TransactItems.entries()) {
      if (!Update || !raises(click, Update.Key as Item)) continue;
      const shares = entries.filter((entry) => raises(entry.click, Update.Key as Item)).length;
      if (isTransient(index)) refusals.contended.push(position);
      else if (codeAt(index) === failed && !isUnjudged) refusals.refused.push(position);
      else if (codeAt(index) === 'ValidationError' && shares === 1 && !isUnjudged)
        refusals.refused.push(position);
    }
  }
  return refusals;
}

// Whether a click raises this item: its link, or the day of its link.
function raises({ code, day }: TracedClick, key: Item): boolean {
  const sort = textOf(key, 'SK');
  return textOf(key, 'PK') === `LINK#${code}` && (sort === 'META' || sort === `STAT#${day}`);
}

/** The messages of the batch whose marker an action writes: the first of each, by id and payload. */
export function findEntries(
  batch: Batch,
  action: number,
  key: Item,
  values: Item = {},
): SentEntry[] {
  const partition = textOf(key, 'PK');
  const [kind, id = ''] = partition.split(/#(.*)/);
  const find = (isIt: (click: TracedClick) => boolean) => {
    const position = batch.clicks.findIndex(isIt);
    // No message of the batch has this marker, and the model allows no such transaction.
    return position < 0 ? traceBounds.BATCH - 1 : position;
  };
  if (kind === 'CLICK') {
    const isIt = (click: TracedClick) =>
      click.id === id && click.code === textOf(key, 'code') && click.day === textOf(key, 'day');
    const position = find(isIt);
    return [{ position, action, click: batch.clicks[position] ?? poison }];
  }
  if (kind !== 'CLICKS') return [];
  return Object.entries(values).flatMap(([name, value]) => {
    if (!('B' in value)) return [];
    const slot = name.slice(1);
    const position = find((click) => {
      const place = placeOf(click.id);
      return place?.key === partition && place.slot === slot && hashOf(click) === String(value.B);
    });
    return { position, action, click: batch.clicks[position] ?? poison, slot };
  });
}

function hashOf({ code, day }: TracedClick): string {
  return createHash('md5')
    .update(JSON.stringify([code, day]))
    .digest()
    .toString('base64', 0, 4);
}
