/** A click as an approach reads it from a message. */
export type ClickEvent = {
  /** Given by the bus: a retried PutEvents gets a new one. */
  eventId: string;
  /** Minted once by the producer. */
  clickId: string;
  code: string;
  /** The UTC day, yyyy-mm-dd. */
  day: string;
};

/**
 * Reads the bus's envelope.
 * @throws Error when it is no click.
 */
export function readClick(body: string): ClickEvent {
  const { id: eventId, detail } = JSON.parse(body);
  const { clickId, code, at } = detail;
  if (typeof code !== 'string') throw new Error('The click has no code.');
  return { eventId, clickId, code, day: at.slice(0, 'yyyy-mm-dd'.length) };
}
