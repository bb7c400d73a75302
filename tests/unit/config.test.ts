import { expect, test } from 'vitest';
import * as config from '../../lib/config.ts';

const variables = {
  BUS_NAME: config.nonEmptyString,
  CLICK_QUEUE_URL: config.httpUrl,
  CLICK_QUEUES: config.positiveInteger,
  OWN_DOMAINS: config.domainList,
  COUNT_VISITORS: config.flag,
};
const valid = {
  BUS_NAME: 'bus',
  CLICK_QUEUE_URL: 'http://localhost:1/000/queue',
  CLICK_QUEUES: '4',
  OWN_DOMAINS: '',
  COUNT_VISITORS: 'false',
};
const hint = 'serverless.yml sets it for each function.';

test("a valid environment yields the schema's values, with numbers and flags parsed", () => {
  const environment = { ...valid, HOME: '/root' };

  expect(config.readEnv(variables, environment)).toEqual({
    ...valid,
    CLICK_QUEUES: 4,
    COUNT_VISITORS: false,
  });
});

test('an invalid environment is rejected, and the error names each variable', () => {
  const environment = { CLICK_QUEUE_URL: 'click-queue', CLICK_QUEUES: '1', COUNT_VISITORS: 'true' };

  expect(() => config.readEnv(variables, environment)).toThrow(
    new config.ConfigError(
      'expected BUS_NAME to be a non-empty string; got nothing; ' +
        'expected CLICK_QUEUE_URL to be an http or https URL; got "click-queue"; ' +
        `expected OWN_DOMAINS to be a comma-separated list of domains, or empty; got nothing. ${hint}`,
    ),
  );
});

test.each([
  ['CLICK_QUEUE_URL', ['ftp://host/queue']],
  ['CLICK_QUEUES', ['', '0', '-1', '1.5', '1e3', ' 3', '9999999999']],
  ['BUS_NAME', ['']],
  ['COUNT_VISITORS', ['', 'TRUE', 'constructor', '__proto__']],
])('the variable %s may not be any of %j', (name, texts) => {
  for (const got of texts) {
    expect(() => config.readEnv(variables, { ...valid, [name]: got })).toThrow(`; got "${got}"`);
  }
});

test('a list of domains is normalised, and may be empty', () => {
  const list = 'Shop.Example., bücher.example,zip,a_b.example,203.0.113.7,';
  const domains = ['shop.example', 'xn--bcher-kva.example', 'zip', 'a_b.example', '203.0.113.7'];

  expect(config.readDomains('OWN_DOMAINS', list)).toEqual(domains);
  expect(config.readDomains('OWN_DOMAINS', '')).toEqual([]);
});

test.each(['.', '*.a.example', 'https://a.example', 'a.example:8443', 'user@a.example', '[::1]'])(
  'a list of domains may not have %j',
  (got) => {
    expect(() => config.readDomains('OWN_DOMAINS', `a.example,${got}`)).toThrow(`; got "${got}".`);
  },
);
