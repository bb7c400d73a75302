import type { Click } from './clicks/click.ts';
import type { Order } from './orders/order.ts';

/** What was sent in a message; neither a click nor an order if it cannot be processed. */
export interface Sent {
  click?: Click;
  order?: Order;
  sentMs: number;
  /** When the click was sent for the first time, if this is a copy. */
  firstSentMs?: number;
  /** The id was used before, for another click, whose marker has expired since. */
  isReuse?: boolean;
  /** The sheet of its id still existed when the id was used again. */
  isBlocked?: boolean;
}

/** The ids that it is about, its own first; none for poison. */
export function idsOf({ click, order }: Sent): string[] {
  if (click) return [click.id, click.code];
  return order ? [order.id] : [];
}
