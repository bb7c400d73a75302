import { describe, expect, test } from 'vitest';
import {
  ConfigError,
  readAggregatorConfig,
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
  test('gives each function what it needs', () => {
    expect(readTelemetryConfig({ STAGE: 'prod' })).toEqual({ stage: 'prod' });
    expect(readTableConfig({ TABLE_NAME: 'clicks' })).toEqual({ tableName: 'clicks' });
    expect(
      readPublisherConfig({ BUS_NAME: 'bus', CLICK_QUEUE_URL: 'http://localhost:1/000/queue' }),
    ).toEqual({ busName: 'bus', clickQueueUrl: 'http://localhost:1/000/queue' });
  });

  test('makes a marker outlive bus, queue, dead-letter queue and the queue once more', () => {
    expect(readAggregatorConfig(aggregatorVariables)).toEqual({
      tableName: 'clicks',
      maxReceiveCount: 3,
      markerTtlSeconds: 121,
    });
  });

  test('is read from the process unless another is given', () => {
    expect(readTelemetryConfig()).toEqual({ stage: 'test' });
  });
});

describe('an environment that cannot be used', () => {
  test('is refused with each variable, what it must be and what it is', () => {
    const read = () => readPublisherConfig({ CLICK_QUEUE_URL: 'click-queue' });

    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      'BUS_NAME must be a text that is not empty, but it is not set; ' +
        'CLICK_QUEUE_URL must be an http or https URL, but it is "click-queue". ' +
        'serverless.yml sets it for each function.',
    );
  });

  test('is refused when a name is empty', () => {
    expect(() => readTableConfig({ TABLE_NAME: '' })).toThrow(
      'TABLE_NAME must be a text that is not empty, but it is ""',
    );
  });

  test.each(['', '0', '-1', '1.5', '1e3', '0x10', ' 3', 'three', '9999999999', 'Infinity'])(
    'is refused when a number is %j',
    (value) => {
      expect(() =>
        readAggregatorConfig({ ...aggregatorVariables, MAX_RECEIVE_COUNT: value }),
      ).toThrow(
        `MAX_RECEIVE_COUNT must be a whole number above 0, but it is ${JSON.stringify(value)}`,
      );
    },
  );
});
