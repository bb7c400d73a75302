import type { Click } from './clicks/click.ts';

/** A message's content. Without a click if it can't be processed. */
export interface Sent {
  click?: Click;
  sentMs: number;
  /** When the click was first sent, if this is a copy. */
  firstSentMs?: number;
  /** Whether the id was used for an earlier click, whose marker has expired. */
  isReuse?: boolean;
  /** Whether the id's sheet still existed when the id was reused. */
  isBlocked?: boolean;
}

/** The ids concerned, its own first. Empty for poison. */
export function idsOf({ click }: Sent): string[] {
  return click ? [click.id, click.code] : [];
}
