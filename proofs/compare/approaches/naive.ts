// Origin: the consumer in most tutorials, such as https://docs.aws.amazon.com/lambda/latest/dg/with-sqs-example.html.

import { readClick } from '../../../hand-rolled/click-transaction.ts';
import type { CreateHandler } from '../approach.ts';

/** Counts every message on receipt. */
export const createHandler: CreateHandler =
  ({ work }) =>
  async (event) => {
    for (const record of event.Records) {
      const click = readClick(record.body);
      await work(click);
    }
  };
