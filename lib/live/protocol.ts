/** The subprotocol of the live page; the browser takes only an answer that names it. */
export const liveProtocol = 'click-tally';

/** The header with the subprotocols that a browser offers. */
export const protocolHeader = 'Sec-WebSocket-Protocol';

type HeaderFields = Readonly<Record<string, string | undefined>> | null | undefined;

/**
 * The token that a browser offers as its second subprotocol, because it can send no other header
 * with a WebSocket; undefined if there is none.
 */
export function readOfferedToken(headers: HeaderFields): string | undefined {
  const isProtocol = ([name]: [string, unknown]) =>
    name.toLowerCase() === protocolHeader.toLowerCase();
  const [, offer = ''] = Object.entries(headers ?? {}).find(isProtocol) ?? [];
  const [protocol, token, ...others] = offer.split(',', 3).map((text) => text.trim());
  return protocol === liveProtocol && others.length === 0 ? token : undefined;
}
