import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNewLink } from '../../../lib/links/api/link-request.ts';
import { rejectDestination } from '../../../lib/links/rules/destination.ts';

const serviceHosts = [
  'go.example.com',
  'xn--krz-hoa.example',
  'a1.execute-api.us-east-1.amazonaws.com',
];
const blockedDomains = ['evil.example', 'xn--bcher-kva.example', '1.0.0.1'];
const policy = { serviceHosts, blockedDomains };

const notPublicHosts = [
  ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.0.0.1..', '%31%32%37.0.0.1'],
  ...['0.0.0.0', '0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.0.0.1', '192.88.99.1'],
  ...[
    ...['::1', '::', '0:0:0:0:0:0:0:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:1.1.1.1'],
    ...['::ffff:0:127.0.0.1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
    ...['2001:db8::1', '3fff::1', '100::1', '5f00::1', '4000::1', '2001:2::1', '2001:20::1'],
  ].map((address) => `[${address}]:8443`),
  ...['localhost', 'LOCALHOST.', 'localhost..', 'app.localhost', 'printer.local', 'nas.local.'],
  ...['db.internal', 'router.home.arpa', 'home.arpa', 'a.test', 'nas.lan', 'wiki.corp'],
  ...['nas.home', 'wiki.intranet', 'a.private', 'intranet', 'com.', '.', 'ｌocalhost'],
  ...['localhost.localdomain', 'kubernetes.default.svc', 'a.svc.', 'example.onion', 'a.invalid'],
  ...['1.0.0.10.in-addr.arpa', '1.ip6.arpa', 'a.alt', 'foo.svc.cluster.local'],
];
const allowedHosts = [
  ...['example.com', 'example.com.', 'localhost.example.com', 'www.notlocal', 'www.arpa'],
  ...['1.1.1.1', '172.15.0.1', '172.32.0.1', '100.128.0.1', '[2606:4700::1111]', '[2a00::1]'],
  ...['mylocalhost.example', 'internal.example', '127.0.0.1.example', 'straße.example'],
  // These resemble the service's hosts and the blocked domains.
  ...['svc.example', 'www.go.example.com', 'b2.execute-api.us-east-1.amazonaws.com'],
  ...['notevil.example', 'evil.example.com', 'www.example'],
];
const ownHosts = [
  ...['go.example.com', 'GO.Example.Com', 'go.example.com.', 'go.example.com:8443'],
  ...['ｇo.example.com', 'go。example.com', 'go%2Eexample.com', 'kürz.example', 'KÜRZ.example'],
  'a1.execute-api.us-east-1.amazonaws.com',
];
const notPublicRejection = 'Enter an address on the public internet. This one is private or local.';
const ownRejection = "A link can't lead to this service. Enter another address.";
const blocked = (domain: string) =>
  `This service doesn't allow links to ${domain}. Enter another address.`;

test.each([
  ...notPublicHosts.map((host) => [host, notPublicRejection]),
  ...allowedHosts.map((host) => [host]),
  ...ownHosts.map((host) => [host, ownRejection]),
  ['evil.example', blocked('evil.example')],
  ['a.b.EVIL.example.', blocked('evil.example')],
  ['bücher.example', blocked('xn--bcher-kva.example')],
  ['shop.xn--bcher-kva.example', blocked('xn--bcher-kva.example')],
  ['1.1', blocked('1.0.0.1')],
])('a link to %s is rejected with: %s', (host, rejection) => {
  for (const scheme of ['http', 'https']) {
    expect(rejectDestination(`${scheme}://${host}/spring`, policy)).toBe(rejection);
  }
});

// Node's own matcher, as an independent check.
const notPublic = { 4: new BlockList(), 6: new BlockList() };
for (const net of ['0.0.0.0', '10.0.0.0', '127.0.0.0']) notPublic[4].addSubnet(net, 8);
notPublic[4].addSubnet('224.0.0.0', 3);
for (const net of ['::', '4000::', '8000::', 'c000::']) notPublic[6].addSubnet(net, 3, 'ipv6');
notPublic[6].addSubnet('2002::', 16, 'ipv6');

function isForbidden(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  if (family === 4) return notPublic[4].check(address);
  if (family === 6) return notPublic[6].check(address, 'ipv6');
  if (serviceHosts.includes(host)) return true;
  return !host.includes('.') || /(^|\.)(localhost|local|evil\.example)$/.test(host);
}

const parts = ['go', 'example', 'com', 'evil', 'localhost', 'local', 'a', 'ü', '127', '0', '0x7f'];
const name = fc
  .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 })
  .chain((labels) => fc.constantFrom('.', '。', '%2e').map((dot) => labels.join(dot)));
const ipV6 = fc.ipV6().map((address) => `[${address}]`);
const urls = fc
  .tuple(
    fc.constantFrom('http://', 'HTTPS://', 'https:\\\\', 'https:/'),
    fc.constantFrom('', '', '', '@', 'go.example.com@', 'a:b@'),
    fc.oneof(name, fc.domain(), fc.ipV4Extended(), ipV6),
    fc.constantFrom('', '.', ':8443', '\\'),
    fc.oneof(
      fc.constant(''),
      fc.string().map((text) => `/${text}`),
    ),
  )
  .map((all) => all.join(''));

function accept(given: string): string | undefined {
  try {
    return parseNewLink({ url: given }, policy).url;
  } catch {
    return undefined;
  }
}

test('an accepted URL is stored unchanged or percent-encoded, would be accepted again, and leads to a public host outside the service', () => {
  fc.assert(
    fc.property(urls, (given) => {
      const stored = accept(given);
      fc.pre(stored !== undefined);

      const withoutSpaces = given.trim().replaceAll(' ', '%20');
      expect([withoutSpaces, new URL(given).href]).toContain(stored);
      expect(stored).toMatch(/^[!-[\]-~]+$/);
      expect(accept(stored)).toBe(stored);
      const { username, password, hostname } = new URL(stored);
      expect(username + password).toBe('');
      expect(isForbidden(hostname.replace(/\.*$/, ''))).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});
