import { describe, expect, test } from 'vitest';
import {
  ConfigError,
  readAggregatorConfig,
  readCreatorConfig,
  readPublisherConfig,
  readTableConfig,
  readTelemetryConfig,
} from '../../lib/config.ts';

const aggregatorVariables = {
  TABLE_NAME: 'clicks',
  MAX_RECEIVE_COUNT: '3',
  BUS_RETRY_SECONDS: '1',
  QUEUE_RETENTION_SECONDS: '10',
  DEAD_LETTER_RETENTION_SECONDS: '100',
};

describe('a complete environment', () => {
  test('configures each function', () => {
    expect(readTelemetryConfig({ STAGE: 'prod' })).toEqual({ stage: 'prod' });
    expect(readTableConfig({ TABLE_NAME: 'clicks' })).toEqual({ tableName: 'clicks' });
    expect(readCreatorConfig({ LINKS_PER_DAY: '1000' })).toEqual({ linksPerDay: 1_000 });
    expect(
      readPublisherConfig({ BUS_NAME: 'bus', CLICK_QUEUE_URL: 'http://localhost:1/000/queue' }),
    ).toEqual({ busName: 'bus', clickQueueUrl: 'http://localhost:1/000/queue' });
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
