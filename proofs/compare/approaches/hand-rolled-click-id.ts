// Origin: hand-rolled-careful.ts, with the producer's click id in place of the event id.

import { clickTransaction, isDuplicate } from '../../../lib/hand-rolled/click-transaction.ts';
import { readClick } from '../../../lib/hand-rolled/read-click.ts';
import type { CreateHandler } from '../approach.ts';
import { handleEach } from '../batch.ts';

/** Counts one message after another, with a marker for each click id. */
export const createHandler: CreateHandler =
  ({ client, tableName }) =>
  (event) =>
    handleEach(event, async ({ body }) => {
      const click = readClick(body);
      try {
        await client.send(clickTransaction(tableName, { ...click, eventId: click.clickId }));
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    });
