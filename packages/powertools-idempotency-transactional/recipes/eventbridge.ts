import type { Context, EventBridgeEvent } from 'aws-lambda';
import { bookOnce, toOrder } from './booking.js';

export const handler = async (event: EventBridgeEvent<string, unknown>, context: Context) => {
  await bookOnce(toOrder(event.detail), context);
};
