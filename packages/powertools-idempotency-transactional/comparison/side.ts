import type { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import type { BasePersistenceLayer } from '@aws-lambda-powertools/idempotency/persistence';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';

/** What a function is called with. */
export interface Order {
  /** The idempotency key; an order without one has no key. */
  id?: string;
  customer: string;
  quantity: number;
}

/**
 * What a function does for an order: add its quantity to the customer's total; the same, only if so
 * many are left; the same, and answer with the new total; or call another service.
 */
export type Work = 'increment' | 'if-left' | 'answer-total' | 'call-service';

/** What happens in a function. A step may throw, wait, or never return. */
export interface Steps {
  /** The author's check of the payload. */
  check(order: Order): void;
  /** The wrapped function begins. */
  begin(): Promise<void>;
  /** The wrapped function is about to return. */
  end(): Promise<void>;
  /** Calls the other service. */
  callService(order: Order): Promise<void>;
}

/** What an author needs to write the function. */
export interface Deployment {
  client: DynamoDBClient;
  /** Keyed by `id`, as the documentation of Powertools advises. */
  recordTable: string;
  /** Keyed by `PK` and `SK`. */
  orderTable: string;
  /** The author's settings; each side adds what it needs. */
  config: IdempotencyConfigOptions;
  work: Work;
  steps: Steps;
}

/** A function and its persistence layer, not wrapped yet. */
export interface OrderFunction {
  persistenceStore: BasePersistenceLayer;
  config: IdempotencyConfig;
  book(order: Order, context?: Context): Promise<unknown>;
}

/** Writes the function for one persistence layer. */
export type CreateFunction = (deployment: Deployment) => OrderFunction;

/** The key of a customer's total. */
export function totalKey({ customer }: Pick<Order, 'customer'>): { PK: string; SK: string } {
  return { PK: `CUSTOMER#${customer}`, SK: 'TOTAL' };
}
