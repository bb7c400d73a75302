import { expect, test } from 'vitest';
import { readServiceHosts } from '../../../lib/http/service-hosts.ts';

const hosts = (API_HOST: string, DOMAIN_NAME = '', EDGE_HOST = '') =>
  readServiceHosts({ API_HOST, DOMAIN_NAME, EDGE_HOST });

test("the service's hosts are normalised, and one is needed", () => {
  expect(hosts('api.example')).toEqual(['api.example']);
  expect(hosts('API.example', 'Go.Example.com.', 'd1.cloudfront.net')).toEqual([
    ...['api.example', 'go.example.com', 'd1.cloudfront.net'],
  ]);
  expect(() => readServiceHosts({})).toThrow('expected API_HOST to be a non-empty string');
});
