import type { DayDetail } from './counts.ts';

/** A link's number as the service pushes it; without `clicks`, the link's own item did not change. */
export interface PushedLink {
  code: string;
  clicks?: number;
  days?: DayDetail[];
}

/** What the service sends. */
export type ServerMessage =
  | { type: 'watching'; links: { code: string; clicks: number }[]; refused: string[] }
  | { type: 'counts'; links: PushedLink[] }
  | { type: 'pong' }
  | { type: 'error'; message: string };

/** What the page sends. */
export type ClientMessage = { action: 'watch' | 'unwatch'; codes: string[] } | { action: 'ping' };

const types = ['watching', 'counts', 'pong', 'error'];

/** Parses a message of the service; undefined for one of a later version. */
export function parseMessage(text: unknown): ServerMessage | undefined {
  try {
    const message = JSON.parse(`${text}`);
    return types.includes(message?.type) ? message : undefined;
  } catch {
    return undefined;
  }
}
