/**
 * A URL's host as the WHATWG parser spells it: in lower case and Punycode, and without the trailing
 * dot of a fully qualified name. Empty if the text isn't a URL.
 */
export function readHost(url) {
    return trimDots(URL.parse(url)?.hostname ?? '');
}
/** Removes a host's trailing dots. A pattern such as /\.+$/ would rescan from each dot. */
export function trimDots(host) {
    let end = host.length;
    while (host[end - 1] === '.')
        end -= 1;
    return host.slice(0, end);
}
/** A domain as {@link readHost} spells hosts; undefined if it's invalid. */
export function readDomain(text) {
    const url = URL.parse(`http://${text}`);
    // A scheme, user, port, query or wildcard is a configuration mistake.
    if (url?.href !== `http://${url?.hostname}/`)
        return undefined;
    const domain = readHost(url.href);
    return /^[\w-]+(\.[\w-]+)*$/.test(domain) ? domain : undefined;
}
/** Whether a host is this domain or one of its subdomains. */
export function isWithin(host, domain) {
    return host === domain || host.endsWith(`.${domain}`);
}
