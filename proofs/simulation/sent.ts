import type { Click } from './clicks/click.ts';

/** A message's content. Without a click if it can't be processed. */
export interface Sent {
  click?: Click;
  sentMs: number;
}

/** The ids concerned, its own first. Empty for poison. */
export function idsOf({ click }: Sent): string[] {
  return click ? [click.id, click.code] : [];
}
