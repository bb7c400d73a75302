import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { logger, metrics, withPowertools } from '../../../lib/telemetry/powertools.ts';
import { useOutput } from '../../helpers/output.ts';

// The logger reads this variable at init and must ignore it.
vi.hoisted(() => vi.stubEnv('POWERTOOLS_LOGGER_LOG_EVENT', 'true'));

const context = { functionName: 'under-test', awsRequestId: 'request-1' } as Context;
const output = useOutput();

test('an invocation prints its metrics as one line, with service and stage as dimensions', async () => {
  const handler = withPowertools(async () => {
    metrics.addMetric('ClicksCounted', MetricUnit.Count, 2);
    metrics.addMetric('DuplicateClicks', MetricUnit.Count, 1);
  });

  await handler({}, context);

  expect(output.lines()).toEqual([
    {
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'ClickTally',
            Dimensions: [['service', 'stage']],
            Metrics: [
              { Name: 'ClicksCounted', Unit: 'Count' },
              { Name: 'DuplicateClicks', Unit: 'Count' },
            ],
          },
        ],
      },
      service: 'click-tally',
      stage: 'test',
      ClicksCounted: 2,
      DuplicateClicks: 1,
    },
  ]);
});

test('a failing handler still publishes its metrics and logs the error', async () => {
  const handler = withPowertools(async () => {
    metrics.addMetric('FailedClicks', MetricUnit.Count, 1);
    throw new Error('the table is gone');
  });

  await expect(handler({}, context)).rejects.toThrow('the table is gone');

  const lines = output.lines();
  expect(lines).toHaveLength(2);
  expect(lines).toContainEqual(expect.objectContaining({ FailedClicks: 1 }));
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'ERROR',
      function_request_id: 'request-1',
      error: expect.objectContaining({ message: 'the table is gone' }),
    }),
  );
});

test('a log line has its service and request id, and never the event', async () => {
  const handler = withPowertools(async (_event: object) => logger.info('done'));

  await handler({ sourceIp: '203.0.113.7' }, context);

  expect(output.lines()).toEqual([
    expect.objectContaining({
      message: 'done',
      service: 'click-tally',
      function_request_id: 'request-1',
    }),
  ]);
  expect(JSON.stringify(output.lines())).not.toContain('203.0.113.7');
});

test('X-Ray is loaded in Lambda only, and only while tracing is on', async () => {
  vi.resetModules();
  const elsewhere = await import('../../../lib/telemetry/powertools.ts');
  vi.resetModules();
  vi.stubEnv('AWS_EXECUTION_ENV', 'AWS_Lambda_nodejs24.x');
  const inLambda = await import('../../../lib/telemetry/powertools.ts');
  vi.resetModules();
  vi.stubEnv('POWERTOOLS_TRACE_ENABLED', 'false');
  const switchedOff = await import('../../../lib/telemetry/powertools.ts');
  vi.unstubAllEnvs();

  expect(inLambda.tracer?.isTracingEnabled()).toBe(true);
  expect(elsewhere.tracer).toBeUndefined();
  expect(switchedOff.tracer).toBeUndefined();
});

test('an invocation is traced without its response', async () => {
  vi.resetModules();
  vi.stubEnv('AWS_EXECUTION_ENV', 'AWS_Lambda_nodejs24.x');
  const inLambda = await import('../../../lib/telemetry/powertools.ts');
  vi.unstubAllEnvs();
  const called: string[] = [];
  const methods = [
    'getSegment',
    'annotateColdStart',
    'addServiceNameAnnotation',
    'addResponseAsMetadata',
  ] as const;
  for (const method of methods) {
    vi.spyOn(inLambda.tracer ?? ({} as never), method).mockImplementation(() => {
      called.push(method);
      return undefined;
    });
  }

  await inLambda.withPowertools(async () => 'personal data')({}, context);

  expect(called).toEqual(['getSegment', 'annotateColdStart', 'addServiceNameAnnotation']);
});
