import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { readTelemetryConfig } from '../config.ts';

/** Metrics that stay silent where Powertools warns: most invocations of the API have none. */
class SparseMetrics extends Metrics {
  override publishStoredMetrics(): this {
    return this.hasStoredMetrics() ? super.publishStoredMetrics() : this;
  }
}

/** The one logger; its service and level come from the POWERTOOLS_* variables. */
export const logger = new Logger();

// The X-Ray SDK takes much of a function's init and follows every promise, so it is loaded only
// where there is something to trace: in Lambda, unless Powertools' own switch is off.
const isTraced =
  process.env.AWS_EXECUTION_ENV !== undefined && process.env.POWERTOOLS_TRACE_ENABLED !== 'false';
const tracing = isTraced ? await import('./tracing.ts') : undefined;

/** The one tracer, where the function is traced. */
export const tracer = tracing?.tracer;

/** Traces the calls of an AWS client, where the function is traced; gives the same client. */
export function traceClient<T>(client: T): T {
  return tracer ? tracer.captureAWSv3Client(client) : client;
}

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
  const logging = injectLambdaContext(logger, {
    logEvent: false,
    flushBufferOnUncaughtError: true,
  });
  const middlewares = [...(tracing ? [tracing.traceHandler] : []), logging, logMetrics(metrics)];
  return middy<TEvent, TResult>(handler).use(middlewares);
}
