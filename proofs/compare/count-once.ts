import type { ClickEvent } from '../../lib/hand-rolled/click-transaction.ts';
import { clickTransaction, isDuplicate } from '../../lib/hand-rolled/click-transaction.ts';
import type { ApproachTools } from './approach.ts';

/** Counts a click in a transaction. Only a failed condition at its marker means duplicate. */
export async function countOnce(
  { client, tableName }: ApproachTools,
  click: ClickEvent,
): Promise<void> {
  try {
    await client.send(clickTransaction(tableName, click));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}
