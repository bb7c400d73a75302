import type { CountsMessage, LinkCounts } from './messages.ts';

// API Gateway takes frames of at most 32 KB.
const maxBytes = 32_768;
/** A day has at most about 3 KB, so these days of a link fit into a message with room to spare. */
const maxDaysAtOnce = 8;

/** Puts the numbers of links into one message, or into as few as API Gateway's limit allows. */
export function splitIntoMessages(links: readonly LinkCounts[]): CountsMessage[] {
  const messages: CountsMessage[] = [];
  let room = 0;
  for (const link of links.flatMap(splitDays)) {
    const bytes = Buffer.byteLength(JSON.stringify(link)) + 1;
    if (bytes > room) {
      const message: CountsMessage = { type: 'counts', links: [] };
      messages.push(message);
      room = maxBytes - Buffer.byteLength(JSON.stringify(message));
    }
    messages.at(-1)?.links.push(link);
    room -= bytes;
  }
  return messages;
}

function splitDays(link: LinkCounts): LinkCounts[] {
  const { code, days } = link;
  if (days.length <= maxDaysAtOnce) return [link];
  const rest = splitDays({ code, days: days.slice(maxDaysAtOnce) });
  return [{ ...link, days: days.slice(0, maxDaysAtOnce) }, ...rest];
}
