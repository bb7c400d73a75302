import type { CountsMessage, LinkCounts } from './messages.ts';

// API Gateway accepts frames of at most 32 KB.
const maxBytes = 32_768;
/** A day has at most about 4 KB, so six of them easily fit into a message. */
const maxDaysAtOnce = 6;

/** Packs links' numbers into messages within API Gateway's limit. */
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
