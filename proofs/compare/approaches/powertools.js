import { wrapInIdempotency } from '../stock-idempotency.ts';
/** Wraps the work in stock idempotency. */
export const createHandler = (tools) => wrapInIdempotency(tools, tools.work);
