import type { DayCounts, ServerMessage } from '../../lib/live/messages.ts';

const types: readonly string[] = [
  'watching',
  'counts',
  'pong',
  'error',
] satisfies ServerMessage['type'][];

/** Parses a message from the service. Undefined if it's from a later version. */
export function parseMessage(text: unknown): ServerMessage | undefined {
  try {
    const message = JSON.parse(`${text}`);
    return types.includes(message?.type) ? complete(message) : undefined;
  } catch {
    return undefined;
  }
}

/** Pushes from before days counted people have them only in the breakdown by visitor. */
function complete(message: ServerMessage): ServerMessage {
  if (message.type !== 'counts') return message;
  const completeDay = (day: DayCounts) => ({ ...day, people: day.people ?? countPeople(day) });
  const links = message.links.map((link) => ({ ...link, days: link.days.map(completeDay) }));
  return { ...message, links };
}

function countPeople({ breakdowns }: DayCounts): number {
  return breakdowns.visitor?.find(({ name }) => name === 'human')?.count ?? 0;
}
