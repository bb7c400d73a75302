/** The live page's subprotocol. Browsers accept only a response that names it. */
export const liveProtocol = 'click-tally';

/** The header that lists a browser's subprotocols. */
export const protocolHeader = 'Sec-WebSocket-Protocol';

type HeaderFields = Readonly<Record<string, string | undefined>> | null | undefined;

/**
 * The token that a browser offers as its second subprotocol, because it can't send other headers
 * with a WebSocket. Undefined if it's missing.
 */
export function readOfferedToken(headers: HeaderFields): string | undefined {
  const isProtocol = ([name]: [string, unknown]) =>
    name.toLowerCase() === protocolHeader.toLowerCase();
  const [, offer = ''] = Object.entries(headers ?? {}).find(isProtocol) ?? [];
  const [protocol, token, ...others] = offer.split(',', 3).map((text) => text.trim());
  return protocol === liveProtocol && others.length === 0 ? token : undefined;
}
