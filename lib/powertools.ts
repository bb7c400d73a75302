import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { readTelemetryConfig } from './config.ts';

/** Metrics that stay silent where Powertools warns: most invocations of the API have none. */
class SparseMetrics extends Metrics {
  override publishStoredMetrics(): this {
    return this.hasStoredMetrics() ? super.publishStoredMetrics() : this;
  }
}

/** The one logger; its service and level come from the POWERTOOLS_* variables. */
export const logger = new Logger();

/** The one tracer; wrap each AWS client in its `captureAWSv3Client`. Off outside Lambda. */
export const tracer = new Tracer();

/** The one store of metrics, published as a single EMF line when an invocation ends. */
export const metrics = new SparseMetrics({
  defaultDimensions: { stage: readTelemetryConfig().stage },
});

/**
 * Wraps a handler in tracing, logging and metrics. Neither the event nor the response is logged
 * or traced, since both may hold personal data.
 */
export function withPowertools<TEvent, TResult>(
  handler: (event: TEvent, context: Context) => Promise<TResult>,
) {
  return middy<TEvent, TResult>(handler)
    .use(captureLambdaHandler(tracer, { captureResponse: false }))
    .use(injectLambdaContext(logger, { logEvent: false, flushBufferOnUncaughtError: true }))
    .use(logMetrics(metrics));
}
