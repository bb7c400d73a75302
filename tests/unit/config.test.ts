import { describe, expect, test } from 'vitest';
import {
  ConfigError,
  readAggregatorConfig,
  readBacklogConfig,
  readCreatorConfig,
  readLiveConfig,
  readPublisherConfig,
  readResolverConfig,
  readTableConfig,
  readTelemetryConfig,
  readTokenConfig,
  readTryConfig,
} from '../../lib/config.ts';

const aggregatorVariables = {
  TABLE_NAME: 'clicks',
  MAX_RECEIVE_COUNT: '3',
  BUS_RETRY_SECONDS: '1',
  QUEUE_RETENTION_SECONDS: '10',
  DEAD_LETTER_RETENTION_SECONDS: '100',
};

const creatorVariables = {
  LINKS_PER_DAY: '7',
  API_HOST: 'api.example',
  DOMAIN_NAME: '',
  BLOCKED_DOMAINS: '',
};

describe('a complete environment', () => {
  test('configures each function', () => {
    expect(readTelemetryConfig({ STAGE: 'prod' })).toEqual({ stage: 'prod' });
    expect(readTableConfig({ TABLE_NAME: 'clicks' })).toEqual({ tableName: 'clicks' });
    expect(
      readPublisherConfig({ BUS_NAME: 'bus', CLICK_QUEUE_URL: 'http://localhost:1/000/queue' }),
    ).toEqual({ busName: 'bus', clickQueueUrl: 'http://localhost:1/000/queue' });
    expect(
      readTokenConfig({ JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'client' }),
    ).toEqual({ issuer: 'https://issuer.example', audience: 'client' });
    expect(readLiveConfig({ LIVE_ENDPOINT: 'http://127.0.0.1:3001' })).toEqual({
      liveEndpoint: 'http://127.0.0.1:3001',
    });
  });

  test('names the queues of the backlog', () => {
    expect(
      readBacklogConfig({
        CLICK_QUEUE_URL: 'http://localhost:1/000/queue',
        CLICK_DLQ_URL: 'http://localhost:1/000/dlq',
        CLICK_RULE_DLQ_URL: 'http://localhost:1/000/rule-dlq',
      }),
    ).toEqual({
      clickQueue: 'http://localhost:1/000/queue',
      deadLetterQueues: ['http://localhost:1/000/dlq', 'http://localhost:1/000/rule-dlq'],
    });
  });

  test('says how long a click to try is tried', () => {
    expect(
      readTryConfig({ BUS_NAME: 'bus', MAX_RECEIVE_COUNT: '3', VISIBILITY_TIMEOUT_SECONDS: '30' }),
    ).toEqual({ busName: 'bus', attempts: 3, attemptSeconds: 30 });
  });

  test('names the hosts to which no link may lead, spelled as in a URL', () => {
    expect(readCreatorConfig(creatorVariables)).toEqual({
      linksPerDay: 7,
      serviceHosts: ['api.example'],
      blockedDomains: [],
    });
    expect(
      readCreatorConfig({
        LINKS_PER_DAY: '1000',
        API_HOST: 'API.example',
        DOMAIN_NAME: 'Go.Example.com.',
        BLOCKED_DOMAINS: ' evil.example, BÜCHER.example ',
      }),
    ).toEqual({
      linksPerDay: 1_000,
      serviceHosts: ['api.example', 'go.example.com'],
      blockedDomains: ['evil.example', 'xn--bcher-kva.example'],
    });
  });

  test('makes a marker outlive the bus, the queue, the dead-letter queue and the queue again', () => {
    expect(readAggregatorConfig(aggregatorVariables)).toEqual({
      tableName: 'clicks',
      maxReceiveCount: 3,
      markerTtlSeconds: 121,
    });
  });

  test('is that of the process by default', () => {
    expect(readTelemetryConfig()).toEqual({ stage: 'test' });
  });
});

test('the domains of a list are those that are named, as a URL would spell them', () => {
  const OWN_DOMAINS = 'Shop.Example., bücher.example,';

  expect(readResolverConfig({ OWN_DOMAINS })).toEqual({
    ownDomains: ['shop.example', 'xn--bcher-kva.example'],
  });
  expect(readResolverConfig({ OWN_DOMAINS: ',' })).toEqual({ ownDomains: [] });
});

describe('an invalid environment', () => {
  test('is refused, and the error names each variable', () => {
    const read = () => readPublisherConfig({ CLICK_QUEUE_URL: 'click-queue' });

    expect(read).toThrow(
      new ConfigError(
        'expected BUS_NAME to be a non-empty string; got nothing; ' +
          'expected CLICK_QUEUE_URL to be an http or https URL; got "click-queue". ' +
          'serverless.yml sets it for each function.',
      ),
    );
  });

  test('is refused by an error that tells its name', () => {
    expect(String(new ConfigError('no stage'))).toBe('ConfigError: no stage');
  });

  test.each(['ftp://host/queue', 'xhttp://host/queue', 'httpx://host/queue'])(
    'is refused if a URL is %s',
    (value) => {
      expect(() => readPublisherConfig({ BUS_NAME: 'bus', CLICK_QUEUE_URL: value })).toThrow(
        `expected CLICK_QUEUE_URL to be an http or https URL; got "${value}"`,
      );
    },
  );

  test.each(['*.evil.example', 'https://evil.example', 'a b'])(
    'is refused if a blocked domain is %j',
    (entry) => {
      const BLOCKED_DOMAINS = `a.example,${entry},b.example`;

      expect(() => readCreatorConfig({ ...creatorVariables, BLOCKED_DOMAINS })).toThrow(
        new ConfigError(
          'expected each domain of BLOCKED_DOMAINS to be a domain such as example.com; ' +
            `got "${entry}". serverless.yml sets it for each function.`,
        ),
      );
    },
  );

  test('is refused without the domains of new links', () => {
    expect(() => readCreatorConfig({})).toThrow(
      'expected LINKS_PER_DAY to be a whole number above 0; got nothing; ' +
        'expected API_HOST to be a non-empty string; got nothing; ' +
        'expected DOMAIN_NAME to be domains, separated by commas, or empty; got nothing; ' +
        'expected BLOCKED_DOMAINS to be domains, separated by commas, or empty; got nothing',
    );
  });

  test('is refused if a name is empty', () => {
    expect(() => readTableConfig({ TABLE_NAME: '' })).toThrow(
      'expected TABLE_NAME to be a non-empty string; got ""',
    );
  });

  test.each(['', '0', '-1', '1.5', '1e3', '0x10', ' 3', 'three', '9999999999', 'Infinity'])(
    'is refused if a number is %j',
    (value) => {
      expect(() =>
        readAggregatorConfig({ ...aggregatorVariables, MAX_RECEIVE_COUNT: value }),
      ).toThrow(
        `expected MAX_RECEIVE_COUNT to be a whole number above 0; got ${JSON.stringify(value)}`,
      );
    },
  );
});
