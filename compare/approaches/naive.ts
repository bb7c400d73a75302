// Origin: the first consumer of every tutorial, such as https://docs.aws.amazon.com/lambda/latest/dg/with-sqs-example.html.
import type { CreateHandler } from '../approach.ts';
import { readClick } from '../click-event.ts';

/** Counts on receipt. */
export const createHandler: CreateHandler =
  ({ work }) =>
  async (event) => {
    for (const record of event.Records) {
      const click = readClick(record.body);
      await work(click, click.eventId);
    }
  };
