import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Settings } from '../settings.ts';

const file = new URL(
  '../../../packages/powertools-idempotency-transactional/examples/orders/serverless.yml',
  import.meta.url,
);

interface Service {
  params: { default: Record<string, number> };
  provider: { environment: Record<string, string> };
  functions: { bookOrders: { events: { sqs: Record<string, string> }[] } };
}

/** What the serverless.yml of the orders says about their functions and queues. */
export function readOrderSettings(): Settings {
  // CloudFormation's own tags (!Ref and such) are of no interest here.
  const service: Service = parse(readFileSync(file, 'utf8'), { logLevel: 'silent' });
  const read = (param: string) => {
    const value = service.params.default[param];
    if (value === undefined) throw new Error(`expected the param ${param} of the orders; got none`);
    return value;
  };
  const readMs = (param: string) => read(param) * 1_000;
  const variables = Object.entries(service.provider.environment).flatMap(([name, text]) => {
    const [, param] = /^\$\{param:(\w+)\}$/.exec(text) ?? [];
    return param ? [[name, String(read(param))]] : [];
  });
  const [{ sqs: mapping } = { sqs: {} }] = service.functions.bookOrders.events;
  return {
    stage: 'dev',
    batchSize: read('batchSize'),
    batchWindowMs: readMs('batchWindowSeconds'),
    maximumConcurrency: read('maximumConcurrency'),
    reportsBatchItemFailures: mapping?.functionResponseType === 'ReportBatchItemFailures',
    functionTimeoutMs: readMs('functionTimeoutSeconds'),
    visibilityTimeoutMs: readMs('visibilityTimeoutSeconds'),
    maxReceiveCount: read('maxReceiveCount'),
    clickQueues: 1,
    // Nothing tries for long to send an order to the queue.
    busRetryMs: 0,
    queueRetentionMs: readMs('queueRetentionSeconds'),
    deadLetterRetentionMs: readMs('deadLetterRetentionSeconds'),
    // Nothing reads the table's stream.
    pushWindowMs: 0,
    environment: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'simulated',
      AWS_SECRET_ACCESS_KEY: 'simulated',
      TABLE_NAME: 'OrderTable',
      POWERTOOLS_SERVICE_NAME: 'orders',
      ...Object.fromEntries(variables),
    },
  };
}
