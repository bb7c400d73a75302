import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { expect, test, vi } from 'vitest';
import { logger, metrics, withPowertools } from '../../../lib/telemetry/powertools.ts';
import { useOutput } from '../../helpers/output.ts';
// The logger reads this variable at init and must ignore it.
vi.hoisted(() => vi.stubEnv('POWERTOOLS_LOGGER_LOG_EVENT', 'true'));
const context = { functionName: 'under-test', awsRequestId: 'request-1' };
const output = useOutput();
test('an invocation prints its metrics as one line, with service and stage as dimensions, even if it fails', async () => {
    const handler = withPowertools(async () => {
        metrics.addMetric('FailedClicks', MetricUnit.Count, 1);
        throw new Error('the table is gone');
    });
    await expect(handler({}, context)).rejects.toThrow('the table is gone');
    const error = expect.objectContaining({ message: 'the table is gone' });
    expect(output.logged()).toMatchObject([{ function_request_id: 'request-1', error }]);
    const Metrics = [{ Name: 'FailedClicks', Unit: 'Count' }];
    const set = { Namespace: 'ClickTally', Dimensions: [['service', 'stage']], Metrics };
    expect(output.metrics()).toEqual([
        {
            _aws: { Timestamp: expect.any(Number), CloudWatchMetrics: [set] },
            service: 'click-tally',
            stage: 'test',
            FailedClicks: 1,
        },
    ]);
});
test('a log line has its service and request id, and never the event', async () => {
    const handler = withPowertools(async (_event) => logger.info('done'));
    await handler({ sourceIp: '203.0.113.7' }, context);
    const line = { message: 'done', service: 'click-tally', function_request_id: 'request-1' };
    expect(output.lines()).toEqual([expect.objectContaining(line)]);
    expect(JSON.stringify(output.lines())).not.toContain('203.0.113.7');
});
/** Loads the module in an environment. */
async function load(environment) {
    vi.resetModules();
    for (const [name, value] of Object.entries(environment))
        vi.stubEnv(name, value);
    const loaded = await import('../../../lib/telemetry/powertools.ts');
    vi.unstubAllEnvs();
    return loaded;
}
const inLambda = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
test('X-Ray is loaded in Lambda only, and only while tracing is on', async () => {
    const off = await load({ ...inLambda, POWERTOOLS_TRACE_ENABLED: 'false' });
    expect((await load(inLambda)).tracer?.isTracingEnabled()).toBe(true);
    expect((await load({})).tracer).toBeUndefined();
    expect(off.tracer).toBeUndefined();
});
test('an invocation is traced without its response', async () => {
    const { tracer, withPowertools } = await load(inLambda);
    const called = [];
    const methods = ['getSegment', 'annotateColdStart', 'addServiceNameAnnotation'];
    for (const method of [...methods, 'addResponseAsMetadata']) {
        vi.spyOn(tracer ?? {}, method).mockImplementation(() => {
            called.push(method);
            return undefined;
        });
    }
    await withPowertools(async () => 'personal data')({}, context);
    expect(called).toEqual(methods);
});
