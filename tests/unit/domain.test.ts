import { describe, expect, test } from 'vitest';
import { isWithin, readDomain, readHost } from '../../lib/domain.ts';

test.each([
  ['https://Go.Example.COM:8443/path', 'go.example.com'],
  ['http://go.example.com./', 'go.example.com'],
  ['http://go.example.com.../', 'go.example.com'],
  ['http://.../', ''],
  ['http://bücher.example', 'xn--bcher-kva.example'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://[0:0::1]/', '[::1]'],
  ['go.example.com', ''],
])('the host of %s is "%s"', (url, host) => {
  expect(readHost(url)).toBe(host);
});

describe('a domain', () => {
  test.each([
    ['evil.example', 'evil.example'],
    ['Evil.EXAMPLE.', 'evil.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['zip', 'zip'],
    ['a_b.example', 'a_b.example'],
    ['203.0.113.7', '203.0.113.7'],
  ])('%s is normalised to %s', (text, domain) => {
    expect(readDomain(text)).toBe(domain);
  });

  test.each([
    '',
    '.',
    '.evil.example',
    '*.evil.example',
    'evil..example',
    'https://evil.example',
    'evil.example/path',
    'evil.example?query',
    'evil.example:8443',
    'user@evil.example',
    'evil example',
    'evil.ex~mple',
    '[::1]',
  ])('cannot be "%s"', (text) => {
    expect(readDomain(text)).toBeUndefined();
  });

  test.each([
    ['evil.example', true],
    ['a.b.evil.example', true],
    ['notevil.example', false],
    ['evil.example.com', false],
    ['example', false],
  ])('evil.example contains %s: %s', (host, expected) => {
    expect(isWithin(host, 'evil.example')).toBe(expected);
  });
});
