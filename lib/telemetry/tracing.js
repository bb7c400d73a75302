import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
export const tracer = new Tracer();
/** Traces an invocation without its response, which may hold personal data. */
export const traceHandler = captureLambdaHandler(tracer, { captureResponse: false });
