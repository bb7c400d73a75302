// Origin: https://www.tech-reader.blog/2025/10/when-atomicity-meets-idempotency.html ("one transaction and one decorator").
import type { CreateHandler } from '../approach.ts';
import { countOnce } from '../count-once.ts';
import { wrapInIdempotency } from '../stock-idempotency.ts';

/** Wraps the transaction in stock idempotency. */
export const createHandler: CreateHandler = (tools) =>
  wrapInIdempotency(tools, (click) => countOnce(tools, click));
