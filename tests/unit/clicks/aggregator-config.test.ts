import { expect, test } from 'vitest';
import { readAggregatorConfig } from '../../../lib/clicks/aggregator-config.ts';

test('a marker outlives the bus, the queue, the dead-letter queue and the queue again', () => {
  expect(
    readAggregatorConfig({
      TABLE_NAME: 'clicks',
      MAX_RECEIVE_COUNT: '3',
      BUS_RETRY_SECONDS: '1',
      QUEUE_RETENTION_SECONDS: '10',
      DEAD_LETTER_RETENTION_SECONDS: '100',
    }),
  ).toEqual({ tableName: 'clicks', maxReceiveCount: 3, markerTtlSeconds: 121 });
});
