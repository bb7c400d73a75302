// Origin: written by hand from https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html.

import { clickTransaction, isDuplicate } from '../../../lib/hand-rolled/click-transaction.ts';
import { readClick } from '../../../lib/hand-rolled/read-click.ts';
import type { CreateHandler } from '../approach.ts';
import { handleEach } from '../batch.ts';

/** Counts one message after another. Only a failed condition at the marker means duplicate. */
export const createHandler: CreateHandler =
  ({ client, tableName }) =>
  (event) =>
    handleEach(event, async ({ body }) => {
      const click = readClick(body);
      try {
        await client.send(clickTransaction(tableName, click));
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    });
