import { expect, test } from 'vitest';
import { readServiceHosts } from '../../../lib/http/service-hosts.ts';

test("the service's hosts are normalised", () => {
  expect(readServiceHosts({ API_HOST: 'api.example', DOMAIN_NAME: '', EDGE_HOST: '' })).toEqual([
    'api.example',
  ]);
  expect(
    readServiceHosts({
      API_HOST: 'API.example',
      DOMAIN_NAME: 'Go.Example.com.',
      EDGE_HOST: 'd1.cloudfront.net',
    }),
  ).toEqual(['api.example', 'go.example.com', 'd1.cloudfront.net']);
});

test('a service without its hosts does not start', () => {
  expect(() => readServiceHosts({})).toThrow(
    'expected API_HOST to be a non-empty string; got nothing; ' +
      'expected DOMAIN_NAME to be a comma-separated list of domains, or empty; got nothing; ' +
      'expected EDGE_HOST to be a comma-separated list of domains, or empty; got nothing',
  );
});
