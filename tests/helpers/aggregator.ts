import type { SQSEvent } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { beforeAll, inject } from 'vitest';
import { localClientConfig } from '../../cli/local-aws.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { readPackagedService } from '../../fixtures/packaged-service.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';
import { readTemplate } from '../../local/engines/template.ts';
import { type Fault, injectFault } from './faults.ts';
import { link } from './items.ts';
import { useOutput } from './output.ts';
import { startRoleGuard } from './role-guard.ts';
import { startTable } from './test-table.ts';

/** The response that reports the messages at these positions as failed. */
export const failed = (...indexes: number[]) => ({
  batchItemFailures: indexes.map((index) => ({ itemIdentifier: `message-${index}` })),
});

type Load = () => Promise<
  Pick<typeof import('../../functions/aggregate-clicks.ts'), 'createHandler'>
>;

/** A timeout that suffices for a large batch on a busy machine. */
export const patientMs = 100_000;

/** Starts a table for a test file, and aggregators that run under their role. Records their output. */
export function useAggregator(load: Load = () => import('../../functions/aggregate-clicks.ts')) {
  const running = {} as Awaited<ReturnType<typeof startAggregator>>;
  beforeAll(async () => {
    Object.assign(running, await startAggregator(load));
    return running.stop;
  });
  const output = useOutput();

  return Object.assign(running, {
    /** The metrics of each of this test's invocations. */
    metrics: () => output.metrics().map(({ _aws, service, stage, ...values }) => values),

    logged: () => output.logged(),

    /** The log lines about failed messages. */
    failures: () => output.logged().filter(({ message }) => message === 'click not confirmed'),
  });
}

async function startAggregator(load: Load) {
  const { put, get, list, ...table } = await startTable();
  const guard = await startRoleGuard(table.endpoint, ['AggregateClicks']);
  const config = localClientConfig(guard.url);
  const { environment } = readPackagedService(await readTemplate(inject('packageDir')));
  Object.assign(process.env, environment, {
    TABLE_NAME: table.tableName,
    AWS_REGION: config.region,
  });
  const { createHandler } = await load();
  let links = 0;

  return {
    endpoint: guard.url,
    async stop() {
      await table.stop();
      await guard.stop();
    },
    ...{ put, get },

    /** Creates a link and returns its code, which is unique by default. */
    async createLink(code = `link-${links++}`) {
      await put(link(code));
      return code;
    },

    /** Delivers a batch to a new instance, whose requests to DynamoDB have this fault. */
    deliver(bodies: string[], fault?: Fault, timeoutMs?: number) {
      return this.deliverEvent(makeBatch(bodies), fault, timeoutMs);
    },

    deliverEvent(event: SQSEvent, fault: Fault = {}, timeoutMs = 5_000) {
      const client = createCommitClient(config);
      injectFault(client, fault);
      return createHandler(client)(event, makeContext(timeoutMs));
    },

    /** A link's stored total and days. */
    async readLink(code: string) {
      const items = await list(`LINK#${code}`);
      const days = items.filter(({ SK }) => SK.startsWith('STAT#'));
      return {
        clicks: items.find(({ SK }) => SK === 'META')?.clicks,
        days: Object.fromEntries(days.map(({ SK, count }) => [SK.slice('STAT#'.length), count])),
      };
    },
  };
}
