// Origin: https://www.tech-reader.blog/2025/10/when-atomicity-meets-idempotency.html ("one transaction and one decorator").
import { countOnce } from '../approach.ts';
import { wrapInIdempotency } from '../stock-idempotency.ts';
/** Wraps the transaction in stock idempotency. */
export const createHandler = (tools) => wrapInIdempotency(tools, (click) => countOnce(tools, click));
