import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ConfigError,
  domainList,
  httpUrl,
  nonEmptyString,
  positiveInteger,
  readDomains,
  readEnv,
} from '../../lib/config.ts';
import { linkVariables, stubAwsEnvironment } from '../helpers/aws-environment.ts';

const variables = {
  BUS_NAME: nonEmptyString,
  CLICK_QUEUE_URL: httpUrl,
  CLICK_QUEUES: positiveInteger,
  OWN_DOMAINS: domainList,
};
const valid = {
  BUS_NAME: 'bus',
  CLICK_QUEUE_URL: 'http://localhost:1/000/queue',
  CLICK_QUEUES: '4',
  OWN_DOMAINS: '',
};

test("a valid environment yields the schema's values, with numbers parsed", () => {
  expect(readEnv(variables, { ...valid, HOME: '/root' })).toEqual({ ...valid, CLICK_QUEUES: 4 });
});

describe('an invalid environment', () => {
  test('is refused, and the error names each variable', () => {
    const read = () => readEnv(variables, { CLICK_QUEUE_URL: 'click-queue', CLICK_QUEUES: '1' });

    expect(read).toThrow(
      new ConfigError(
        'expected BUS_NAME to be a non-empty string; got nothing; ' +
          'expected CLICK_QUEUE_URL to be an http or https URL; got "click-queue"; ' +
          'expected OWN_DOMAINS to be a comma-separated list of domains, or empty; got nothing. ' +
          'serverless.yml sets it for each function.',
      ),
    );
  });

  test.each([
    ...['ftp://host/queue', 'xhttp://host/queue', 'httpx://host/queue'].map((got) => {
      return { name: 'CLICK_QUEUE_URL', got, expected: 'an http or https URL' };
    }),
    ...['', '0', '-1', '1.5', '1e3', '0x10', ' 3', 'three', '9999999999', 'Infinity'].map((got) => {
      return { name: 'CLICK_QUEUES', got, expected: 'a whole number above 0' };
    }),
    { name: 'BUS_NAME', got: '', expected: 'a non-empty string' },
  ])('is refused if $name is "$got"', ({ name, got, expected }) => {
    expect(() => readEnv(variables, { ...valid, [name]: got })).toThrow(
      `expected ${name} to be ${expected}; got "${got}"`,
    );
  });
});

describe('a list of domains', () => {
  test.each([
    ['Shop.Example., bücher.example,', ['shop.example', 'xn--bcher-kva.example']],
    [',', []],
    ['', []],
  ])('may be %j, and its domains are normalised', (list, domains) => {
    expect(readDomains('OWN_DOMAINS', list)).toEqual(domains);
  });

  test.each(['*.evil.example', 'https://evil.example', 'a b'])(
    'is refused if one is %j',
    (entry) => {
      expect(() => readDomains('BLOCKED_DOMAINS', `a.example,${entry},b.example`)).toThrow(
        new ConfigError(
          'expected each domain of BLOCKED_DOMAINS to be a domain such as example.com; ' +
            `got "${entry}". serverless.yml sets it for each function.`,
        ),
      );
    },
  );
});

describe('a function', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  /** Loads a function, as Lambda does before the first request. */
  async function startFunction(changes: Record<string, string>) {
    vi.resetModules();
    stubAwsEnvironment({ TABLE_NAME: 'clicks', ...linkVariables, ...changes });
    return await import('../../functions/create-link.ts');
  }

  test('starts in a complete environment', async () => {
    expect(await startFunction({})).toHaveProperty('handler');
  });

  test.each([
    ['LINKS_PER_DAY', 'many', 'LINKS_PER_DAY to be a whole number above 0'],
    ['BLOCKED_DOMAINS', 'a b', 'each domain of BLOCKED_DOMAINS to be a domain such as example.com'],
    ...['go.example.com', 'https://go.example.com/', 'ftp://go.example.com', 'https://a@b'].map(
      (origin) => [
        ...['PUBLIC_ORIGIN', origin],
        'PUBLIC_ORIGIN to be an origin such as https://go.example.com',
      ],
    ),
  ])('does not start with %s=%s and says what to fix', async (name, got, reason) => {
    await expect(startFunction({ [name as string]: `${got}` })).rejects.toMatchObject({
      name: 'ConfigError',
      message: `expected ${reason}; got "${got}". serverless.yml sets it for each function.`,
    });
  });
});
