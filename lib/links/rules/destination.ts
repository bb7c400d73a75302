import ipaddr from 'ipaddr.js';
import { domainList, readDomains, readEnv, readServiceHosts } from '../../config.ts';
import { isWithin, readHost } from '../../domain.ts';

/** Public hosts that links may not lead to. */
export interface LinkPolicy {
  /** The service's own hosts. A link to a link could redirect in a loop and count each time. */
  serviceHosts: readonly string[];
  /** Each includes its subdomains. */
  blockedDomains: readonly string[];
}

/**
 * Domains whose meaning depends on the machine or network: RFC 6761 (localhost, test), RFC 6762
 * (local, and the five in appendix G), RFC 8375 (home.arpa), internal, which ICANN has reserved, and
 * svc, which Kubernetes uses. Or names that the public DNS doesn't have: RFC 7686 (onion), RFC 9476
 * (alt), RFC 6761 (invalid). Or names of addresses: RFC 1035 and RFC 3596.
 */
const localDomains = [
  'localhost',
  'test',
  'local',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'internal',
  'localdomain',
  'svc',
  'onion',
  'alt',
  'invalid',
  'in-addr.arpa',
  'ip6.arpa',
];

// IANA assigns public IPv6 addresses only from 2000::/3. ipaddr.js names only the special ranges.
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Reads the stage's policy from the environment. Throws `ConfigError`. */
export function readLinkPolicy(): LinkPolicy {
  const { BLOCKED_DOMAINS } = readEnv({ BLOCKED_DOMAINS: domainList });
  const blockedDomains = readDomains('BLOCKED_DOMAINS', BLOCKED_DOMAINS);
  return { serviceHosts: readServiceHosts(), blockedDomains };
}

/**
 * Why a link may not have this URL, as a sentence for its owner; undefined if it may. Names aren't
 * resolved, so a public name may still have a private address.
 */
export function rejectDestination(
  url: string,
  { serviceHosts, blockedDomains }: LinkPolicy,
): string | undefined {
  const host = readHost(url);
  if (!isPublic(host))
    return 'Enter an address on the public internet. This one is private or local.';
  if (serviceHosts.includes(host))
    return "A link can't lead to this service. Enter another address.";
  const blocked = blockedDomains.find((domain) => isWithin(host, domain));
  return blocked && `This service doesn't allow links to ${blocked}. Enter another address.`;
}

function isPublic(host: string): boolean {
  if (host.startsWith('[')) {
    const address = ipaddr.IPv6.parse(host.slice(1, -1));
    return address.match(publicIpv6) && address.range() === 'unicast';
  }
  if (ipaddr.IPv4.isValid(host)) return ipaddr.IPv4.parse(host).range() === 'unicast';
  return host.includes('.') && !localDomains.some((domain) => isWithin(host, domain));
}
