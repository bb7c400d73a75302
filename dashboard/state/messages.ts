import type { ServerMessage } from '../../lib/live/messages.ts';

const types: readonly ServerMessage['type'][] = ['watching', 'counts', 'pong', 'error'];

/** Parses a message from the service. Undefined if it's from a later version. */
export function parseMessage(text: unknown): ServerMessage | undefined {
  try {
    const message = JSON.parse(`${text}`);
    return types.includes(message?.type) ? message : undefined;
  } catch {
    return undefined;
  }
}
