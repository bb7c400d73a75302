import { describe, expect, test } from 'vitest';
import {
  ConfigError,
  readAggregatorConfig,
  readBacklogConfig,
  readCreatorConfig,
  readEdgeConfig,
  readHostConfig,
  readLiveConfig,
  readOriginConfig,
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

const creatorVariables = { LINKS_PER_DAY: '7', BLOCKED_DOMAINS: '' };

describe('a complete environment', () => {
  test('configures each function', () => {
    expect(readTelemetryConfig({ STAGE: 'prod' })).toEqual({ stage: 'prod' });
    expect(readTableConfig({ TABLE_NAME: 'clicks' })).toEqual({ tableName: 'clicks' });
    expect(
      readPublisherConfig({
        BUS_NAME: 'bus',
        CLICK_QUEUE_URL: 'http://localhost:1/000/queue',
        CLICK_QUEUES: '4',
      }),
    ).toEqual({ busName: 'bus', clickQueueUrl: 'http://localhost:1/000/queue', clickQueues: 4 });
    expect(
      readTokenConfig({
        JWT_ISSUER: 'https://issuer.example',
        JWT_AUDIENCE: 'client',
        JWT_SCOPES: 'the-api/links another',
      }),
    ).toEqual({
      issuer: 'https://issuer.example',
      audience: 'client',
      scopes: ['the-api/links', 'another'],
    });
    expect(readLiveConfig({ LIVE_ENDPOINT: 'http://127.0.0.1:3001' })).toEqual({
      liveEndpoint: 'http://127.0.0.1:3001',
    });
  });

  test('names the queues of the backlog', () => {
    expect(
      readBacklogConfig({
        CLICK_QUEUE_URL: 'http://localhost:1/000/queue',
        CLICK_QUEUES: '4',
        CLICK_DLQ_URL: 'http://localhost:1/000/dlq',
        CLICK_RULE_DLQ_URL: 'http://localhost:1/000/rule-dlq',
      }),
    ).toEqual({
      clickQueue: 'http://localhost:1/000/queue',
      clickQueues: 4,
      deadLetterQueues: ['http://localhost:1/000/dlq', 'http://localhost:1/000/rule-dlq'],
    });
  });

  test('says how long a click to try is tried', () => {
    expect(
      readTryConfig({ BUS_NAME: 'bus', MAX_RECEIVE_COUNT: '3', VISIBILITY_TIMEOUT_SECONDS: '30' }),
    ).toEqual({ busName: 'bus', attempts: 3, attemptSeconds: 30 });
  });

  test('names the hosts to which no link may lead, spelled as in a URL', () => {
    expect(readCreatorConfig(creatorVariables)).toEqual({ linksPerDay: 7, blockedDomains: [] });
    expect(
      readCreatorConfig({
        LINKS_PER_DAY: '1000',
        BLOCKED_DOMAINS: ' evil.example, BÜCHER.example ',
      }),
    ).toEqual({
      linksPerDay: 1_000,
      blockedDomains: ['evil.example', 'xn--bcher-kva.example'],
    });
  });

  test('names the hosts at which the service answers, spelled as in a URL', () => {
    expect(readHostConfig({ API_HOST: 'api.example', DOMAIN_NAME: '', EDGE_HOST: '' })).toEqual({
      serviceHosts: ['api.example'],
    });
    expect(
      readHostConfig({
        API_HOST: 'API.example',
        DOMAIN_NAME: 'Go.Example.com.',
        EDGE_HOST: 'd1.cloudfront.net',
      }),
    ).toEqual({ serviceHosts: ['api.example', 'go.example.com', 'd1.cloudfront.net'] });
  });

  test.each(['https://go.example.com', 'http://127.0.0.1:3000'])(
    'names the origin of short links: %s',
    (origin) => {
      expect(readOriginConfig({ PUBLIC_ORIGIN: origin })).toEqual({ publicOrigin: origin });
    },
  );

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

describe('the secrets that CloudFront sends', () => {
  const first = 'a'.repeat(32);
  const second = 'b'.repeat(32);

  test('are those of the variable, and none without it', () => {
    expect(readEdgeConfig({ ORIGIN_SECRETS: `${first},${second}` })).toEqual({
      originSecrets: [first, second],
    });
    expect(readEdgeConfig({})).toEqual({ originSecrets: [] });
  });

  test.each(['', ',', `${first},`, `${first},${'c'.repeat(31)}`])(
    'are refused if one is missing or short, and are not shown: %j',
    (list) => {
      expect(() => readEdgeConfig({ ORIGIN_SECRETS: list })).toThrow(
        new ConfigError(
          'expected ORIGIN_SECRETS to be secrets of at least 32 characters, separated by commas; ' +
            'got a shorter one. infra/edge.yml sets it.',
        ),
      );
    },
  );
});

describe('an invalid environment', () => {
  test('is refused, and the error names each variable', () => {
    const read = () => readPublisherConfig({ CLICK_QUEUE_URL: 'click-queue', CLICK_QUEUES: '1' });

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
      const variables = { BUS_NAME: 'bus', CLICK_QUEUE_URL: value, CLICK_QUEUES: '1' };

      expect(() => readPublisherConfig(variables)).toThrow(
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
        'expected BLOCKED_DOMAINS to be domains, separated by commas, or empty; got nothing',
    );
  });

  test('is refused without its hosts', () => {
    expect(() => readHostConfig({})).toThrow(
      'expected API_HOST to be a non-empty string; got nothing; ' +
        'expected DOMAIN_NAME to be domains, separated by commas, or empty; got nothing; ' +
        'expected EDGE_HOST to be domains, separated by commas, or empty; got nothing',
    );
  });

  test.each(['go.example.com', 'https://go.example.com/', 'ftp://go.example.com', 'https://a@b'])(
    'is refused if the origin of short links is %s',
    (origin) => {
      expect(() => readOriginConfig({ PUBLIC_ORIGIN: origin })).toThrow(
        `expected PUBLIC_ORIGIN to be an origin such as https://go.example.com; got "${origin}"`,
      );
    },
  );

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
