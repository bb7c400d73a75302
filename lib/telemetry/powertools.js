import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import { nonEmptyString, readEnv } from '../config.ts';
/**
 * Metrics without Powertools' warning about empty ones. Most of the API's invocations don't emit
 * any.
 */
class SparseMetrics extends Metrics {
    publishStoredMetrics() {
        return this.hasStoredMetrics() ? super.publishStoredMetrics() : this;
    }
}
/** The logger of every function; POWERTOOLS_* variables set its service and level. */
export const logger = new Logger();
// docs/decisions.md#traces-and-logs-cost-less-than-counting explains this condition.
const isTraced = process.env.AWS_EXECUTION_ENV !== undefined && process.env.POWERTOOLS_TRACE_ENABLED !== 'false';
const tracing = isTraced ? await import('./tracing.ts') : undefined;
/** The tracer; undefined if tracing is off. */
export const tracer = tracing?.tracer;
/** Traces the requests of an AWS client if tracing is on; returns the same client. */
export function traceClient(client) {
    return tracer ? tracer.captureAWSv3Client(client) : client;
}
const { STAGE } = readEnv({ STAGE: nonEmptyString });
/** An invocation's metrics, published as one EMF line when it ends. */
export const metrics = new SparseMetrics({
    defaultDimensions: { stage: STAGE },
});
/**
 * Wraps a handler in tracing, logging and metrics. They never record the event or the response,
 * which may hold personal data.
 */
export function withPowertools(handler) {
    const logging = injectLambdaContext(logger, {
        logEvent: false,
        flushBufferOnUncaughtError: true,
        resetKeys: true,
    });
    const middlewares = [...(tracing ? [tracing.traceHandler] : []), logging, logMetrics(metrics)];
    return middy(handler).use(middlewares);
}
