/**
 * The host of a URL as the WHATWG parser spells it, in lower case and Punycode, and without the
 * trailing dot of a fully qualified name. Empty if this is no URL.
 */
export function readHost(url: string): string {
  return URL.parse(url)?.hostname.replace(/\.+$/, '') ?? '';
}

/** A domain as {@link readHost} spells hosts; undefined if the text is no domain. */
export function readDomain(text: string): string | undefined {
  const url = URL.parse(`http://${text}`);
  // A text with a scheme, user, port, query or wildcard is a mistake of whoever configured it.
  if (url?.href !== `http://${url?.hostname}/`) return undefined;
  const domain = readHost(url.href);
  return /^[\w-]+(\.[\w-]+)*$/.test(domain) ? domain : undefined;
}

/** Whether a host is this domain or one of its subdomains. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
