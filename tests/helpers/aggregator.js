import { createCommitClient } from 'powertools-idempotency-transactional';
import { inject } from 'vitest';
import { meterClient } from '../../fixtures/capacity-meter.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { readPackagedService } from '../../fixtures/packaged-service.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';
import { readTemplate } from '../../local/engines/template.ts';
import { stubAwsEnvironment } from './aws-environment.ts';
import { injectFault } from './faults.ts';
import { link } from './items.ts';
import { useOutput } from './output.ts';
import { useModule, useTable } from './test-table.ts';
/** The response that reports the messages at these positions as failed. */
export const failed = (...indexes) => ({
    batchItemFailures: indexes.map((index) => ({ itemIdentifier: `message-${index}` })),
});
/** A timeout that suffices for a large batch on a busy machine. */
export const patientMs = 100000;
/** Starts a table for a test file, and aggregators that run under their role. Records their output. */
export function useAggregator(load = () => import('../../functions/aggregate-clicks.ts')) {
    const table = useTable({}, ['AggregateClicks']);
    const output = useOutput();
    const functions = useModule(async () => {
        const { environment } = readPackagedService(await readTemplate(inject('packageDir')));
        stubAwsEnvironment(environment);
        return load();
    });
    let links = 0;
    return {
        table,
        /** The metrics of each of this test's invocations. */
        metrics: () => output.metrics().map(({ _aws, service, stage, ...values }) => values),
        logged: output.logged,
        /** The log lines about failed messages. */
        failures: () => output.logged().filter(({ message }) => message === 'click not counted yet'),
        /** Creates a link and returns its code, which is unique by default. */
        async createLink(code = `link-${links++}`) {
            await table.put(link(code));
            return code;
        },
        /** Delivers a batch to a new instance, whose requests to DynamoDB have this fault. */
        deliver(bodies, fault, timeoutMs) {
            return this.deliverEvent(makeBatch(bodies), fault, timeoutMs);
        },
        deliverEvent(event, fault = {}, timeoutMs = 5000, context = makeContext(timeoutMs)) {
            const client = createCommitClient();
            injectFault(client, fault);
            return functions.createHandler(client)(event, context);
        },
        /** Starts an execution environment for several batches, and meters its requests to DynamoDB. */
        openEnvironment(timeoutMs = 5000) {
            const client = createCommitClient();
            const meter = meterClient(client);
            const handler = functions.createHandler(client);
            const deliver = (bodies) => handler(makeBatch(bodies), makeContext(timeoutMs));
            return { meter, deliver };
        },
        /** A link's stored total and days. */
        async readLink(code) {
            const items = await table.list(`LINK#${code}`);
            const days = items.filter(({ SK }) => SK.startsWith('STAT#'));
            return {
                clicks: items.find(({ SK }) => SK === 'META')?.clicks,
                days: Object.fromEntries(days.map(({ SK, count }) => [SK.slice('STAT#'.length), count])),
            };
        },
    };
}
