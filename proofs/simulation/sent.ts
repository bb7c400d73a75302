import type { Click } from './clicks/click.ts';

/** A message's content. Without a click if it can't be processed. */
export interface Sent {
  click?: Click;
  sentMs: number;
  /** Whether the id is used again at the end of its marker, beyond the guarantee. */
  isReuse?: boolean;
  /** Whether the id's sheet still existed when the id was reused. */
  isBlocked?: boolean;
}

/** The ids concerned, its own first. Empty for poison. */
export function idsOf({ click }: Sent): string[] {
  return click ? [click.id, click.code] : [];
}
