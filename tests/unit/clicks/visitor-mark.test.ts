import { createHmac, createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { markVisitor, readVisitor } from '../../../lib/clicks/visitor-mark.ts';
import { toMark } from '../../../lib/clicks/visitor-sketch.ts';
import { createOriginCheck } from '../../../lib/http/origin-check.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0';
const secret = 'origin-secret-of-32-characters-0';

/** The address that a request's visitor is known by, after the check for the edge's secrets. */
function addressOf(sent: Record<string, string>, secrets: string[] = []) {
  const event = makeHttpEvent({ headers: { 'user-agent': agent, ...sent } });
  const { headers, requestContext } = createOriginCheck(secrets)(event);
  return readVisitor(headers, requestContext.http.sourceIp).address;
}

test('without an edge, the address is the one that API Gateway sees', () => {
  expect(addressOf({})).toBe('192.0.2.1');
  expect(addressOf({ 'cloudfront-viewer-address': '198.51.100.7:4711' })).toBe('192.0.2.1');
});

test('with the edge, the address is the one that CloudFront sees', () => {
  const viewer = { 'x-origin-secret': secret, 'cloudfront-viewer-address': '198.51.100.7:4711' };

  expect(addressOf(viewer, [secret])).toBe('198.51.100.7');
});

test("a stranger's X-Forwarded-For changes nothing, with and without an edge", () => {
  const forged = { 'x-forwarded-for': '203.0.113.9, 198.51.100.1', forwarded: 'for=203.0.113.9' };
  const viewer = { 'x-origin-secret': secret, 'cloudfront-viewer-address': '198.51.100.7:4711' };

  expect(addressOf(forged)).toBe('192.0.2.1');
  expect(addressOf({ ...forged, ...viewer }, [secret])).toBe('198.51.100.7');
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::5:6', '2001:db8:0:0'],
  ['2001:db8::3:4:5:6:7', '2001:db8:0:3'],
  ['::1', '0:0:0:0'],
])('the IPv6 address %s is known by its /64, with CloudFront too', (address, network) => {
  const headers = {};
  const viewed = (viewer: string) =>
    readVisitor({ 'cloudfront-viewer-address': viewer }, '').address;

  expect(readVisitor(headers, address).address).toBe(network);
  expect(viewed(`${address}:4711`)).toBe(network);
  expect(viewed(`[${address}]:4711`)).toBe(network);
});

test.each(['::ffff:192.0.2.7', '::FFFF:192.0.2.7'])(
  '%s is an IPv4 address, which shares no network with others',
  (address) => {
    expect(readVisitor({}, address).address).toBe('192.0.2.7');
    expect(
      addressOf({ 'cloudfront-viewer-address': `${address}:4711`, 'x-origin-secret': secret }, [
        secret,
      ]),
    ).toBe('192.0.2.7');
  },
);

test("a browser's update doesn't make a new visitor, but another browser or device does", () => {
  const chrome = (version: string, device: string) =>
    `Mozilla/5.0 (Linux; ${device}) AppleWebKit/537.36 Chrome/${version} Mobile Safari/537.36`;
  const agents = [
    agent,
    agent.replaceAll('152.0', '153.1'),
    chrome('152.0.0.0', 'Android 16; SM-S921B'),
    chrome('153.0.7301.12', 'Android 16; SM-S921B'),
    chrome('153.0.7301.12', 'Android 16; SM-A556B'),
  ];
  const known = agents.map((sent) => readVisitor({ 'user-agent': sent }, '192.0.2.1').agent);

  expect(known[1]).toBe(known[0]);
  expect(known[3]).toBe(known[2]);
  expect(new Set(known)).toHaveProperty('size', 3);
});

test('the mark is made from an HMAC of address and agent with the key of the stage', () => {
  const visitor = { address: '192.0.2.1', agent: 'Firefox/' };
  const hash = createHmac('sha256', key).update('192.0.2.1 Firefox/').digest();

  expect(markVisitor(key, visitor)).toBe(toMark(hash));
  expect(markVisitor(createSecretKey(Buffer.alloc(32, 8)), visitor)).not.toBe(toMark(hash));
});
