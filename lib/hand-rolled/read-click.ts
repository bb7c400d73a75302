/** A click, as a hand-rolled aggregator reads it from a message. */
export interface ClickEvent {
  /** EventBridge's id of the event. A retried PutEvents gets a new one. */
  eventId: string;
  /** Minted once by the producer. */
  clickId: string;
  code: string;
  /** The UTC day, yyyy-mm-dd. */
  day: string;
}

/**
 * Reads a click from EventBridge's envelope.
 *
 * @throws {Error} if the body is not a click.
 */
export function readClick(body: string): ClickEvent {
  const { id: eventId, detail } = JSON.parse(body);
  const { clickId, code, at } = detail;
  if (typeof code !== 'string') throw new Error(`expected a code; got ${typeof code}`);
  return { eventId, clickId, code, day: at.slice(0, 'yyyy-mm-dd'.length) };
}
