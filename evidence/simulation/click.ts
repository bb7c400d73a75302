/** A click as its producer meant it. */
export interface Click {
  id: string;
  code: string;
  /** The UTC day, yyyy-mm-dd. */
  day: string;
}

/** A message that was sent: a click, or one that cannot be counted. */
export interface Sent {
  click?: Click;
  sentMs: number;
  /** When the click was sent for the first time, if this is a copy. */
  firstSentMs?: number;
  /** The id was used before, for another click, whose marker has expired since. */
  isReuse?: boolean;
  /** The page of its id still existed when the id was used again. */
  isBlocked?: boolean;
}

/** The click in a detail that the service's own resolver made. */
export function clickOfDetail(detail: string): Click {
  const { clickId, code, at } = JSON.parse(detail) as Record<string, string>;
  return { id: String(clickId), code: String(code), day: dayOf(String(at)) };
}

/** The click in an event as the bus hands it on. */
export function clickOfEvent(body: string): Click {
  return clickOfDetail(JSON.stringify(JSON.parse(body).detail));
}

/** The clicks that a request of the resolver carries. */
export function clicksOfRequest(operation: string, input: unknown): Click[] {
  const { MessageBody = '', Entries = [] } = input as {
    MessageBody?: string;
    Entries?: { Detail: string }[];
  };
  if (operation === 'SendMessage') return [clickOfEvent(MessageBody)];
  return Entries.map(({ Detail }) => clickOfDetail(Detail));
}

/** The UTC day of an ISO 8601 instant that ends in Z. */
export function dayOf(at: string): string {
  return at.slice(0, 'yyyy-mm-dd'.length);
}
