// Origin: https://docs.powertools.aws.dev/lambda/typescript/latest/features/idempotency/ and its page on batch processing.
import type { CreateHandler } from '../approach.ts';
import { wrapInIdempotency } from '../stock-idempotency.ts';

/** Wraps the work in stock idempotency. */
export const createHandler: CreateHandler = (tools) => wrapInIdempotency(tools, tools.work);
