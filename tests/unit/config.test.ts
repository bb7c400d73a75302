import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ConfigError,
  readAggregatorConfig,
  readBacklogConfig,
  readCreatorConfig,
  readEdgeConfig,
  readHostConfig,
  readLiveConfig,
  readOriginConfig,
  readPageConfig,
  readPublisherConfig,
  readResolverConfig,
  readTableConfig,
  readTelemetryConfig,
  readTokenConfig,
  readTryConfig,
} from '../../lib/config.ts';
import { creatorVariables as ofCreator, stubAwsEnvironment } from '../helpers/aws-environment.ts';

const aggregatorVariables = {
  TABLE_NAME: 'clicks',
  MAX_RECEIVE_COUNT: '3',
  BUS_RETRY_SECONDS: '1',
  QUEUE_RETENTION_SECONDS: '10',
  DEAD_LETTER_RETENTION_SECONDS: '100',
};

const creatorVariables = { LINKS_PER_DAY: '7', BLOCKED_DOMAINS: '' };

const pageVariables = {
  STAGE: 'dev',
  JWT_ISSUER: 'https://issuer.example',
  JWT_AUDIENCE: 'client',
  LOGIN_DOMAIN: 'login.example',
  SIGN_IN_SCOPE: 'openid the-api/links',
  LIVE_URL: 'wss://live.example/dev',
  RUNBOOK_URL: 'https://runbook.example',
  TRY_IT: 'true',
};

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
        JWT_SCOPES: ' the-api/links  another ',
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

  test('tells the live page where it may connect to, and whether it offers clicks to try', async () => {
    // A test that loads the module itself sees a mutant of what runs as it loads.
    vi.resetModules();
    const { readPageConfig } = await import('../../lib/config.ts');
    const page = {
      stage: 'dev',
      issuer: 'https://issuer.example',
      clientId: 'client',
      loginDomain: 'login.example',
      scope: 'openid the-api/links',
      liveUrl: 'wss://live.example/dev',
      runbookUrl: 'https://runbook.example',
      tryIt: true,
    };
    const fewer = { LOGIN_DOMAIN: '', RUNBOOK_URL: '', TRY_IT: 'false' };

    expect(readPageConfig(pageVariables)).toEqual(page);
    expect(readPageConfig({ ...pageVariables, ...fewer })).toEqual({
      ...page,
      ...{ loginDomain: '', runbookUrl: '', tryIt: false },
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

  test('is refused if a domain of its own is none', () => {
    expect(() => readResolverConfig({ OWN_DOMAINS: 'shop.example,a b' })).toThrow(
      'expected each domain of OWN_DOMAINS to be a domain such as example.com; got "a b"',
    );
  });

  test('is refused if the live page could not work with it', () => {
    const wrong = { LIVE_URL: 'https://live.example', TRY_IT: 'yes', RUNBOOK_URL: undefined };

    expect(() => readPageConfig({ ...pageVariables, ...wrong })).toThrow(
      'expected LIVE_URL to be a ws or wss URL; got "https://live.example"; ' +
        'expected RUNBOOK_URL to be a URL, or empty; got nothing; ' +
        'expected TRY_IT to be true or false; got "yes"',
    );
  });

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

describe('a function', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  /** Loads a function in this environment, as Lambda does before the first request. */
  async function startFunction(variables: Record<string, string>) {
    vi.resetModules();
    stubAwsEnvironment({ TABLE_NAME: 'clicks', ...ofCreator, ...variables });
    return await import('../../functions/create-link.ts');
  }

  test('starts in a complete environment', async () => {
    expect(await startFunction({})).toHaveProperty('handler');
  });

  test('does not start in an invalid one, and says what to mend', async () => {
    await expect(startFunction({ LINKS_PER_DAY: 'many' })).rejects.toMatchObject({
      name: 'ConfigError',
      message:
        'expected LINKS_PER_DAY to be a whole number above 0; got "many". ' +
        'serverless.yml sets it for each function.',
    });
  });
});
