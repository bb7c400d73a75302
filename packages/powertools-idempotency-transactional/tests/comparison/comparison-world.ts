import { randomUUID } from 'node:crypto';
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import {
  DynamoDBClient,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import middy from '@middy/core';
import type { Context, SQSRecord } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { vi } from 'vitest';
import { localClientConfig } from '../../../../cli/local-aws.ts';
import { type Meter, meterClient } from '../../../../fixtures/capacity-meter.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import type { TestTable } from '../../../../tests/helpers/test-table.ts';
import { createFunction, type Layer, type Order, totalKey, type Work } from './layers.ts';

export const timeoutSeconds = 30;

/** Orders that reach the function in an environment of its own, how it is written, and what fails. */
export interface Delivery {
  /** After the delivery before it. */
  afterSeconds?: number;
  /** One by default; several come one after another. */
  orders?: Partial<Order>[];
  inBatch?: boolean;
  config?: IdempotencyConfigOptions;
  /** Increments a total by default. */
  work?: Work;
  /** Sets the stock level before. */
  unsold?: number;
  wrapper?: 'middy' | 'second-argument';
  /** Nobody registers the Lambda context. */
  isBare?: boolean;
  isDisabled?: boolean;
  /** When the environment dies. */
  crash?: 'before-work' | 'after-work';
  /** How often DynamoDB fails at the last write of the persistence layer. */
  failures?: number;
  check?(order: Order): void;
  begin?(world: World): Promise<void>;
  end?(): Promise<void>;
}

interface Input {
  Key?: Record<string, { S?: string }>;
  UpdateExpression?: string;
  TransactItems?: TransactWriteItem[];
}

type Call = (order: Order, context?: Context) => Promise<unknown>;

/** The function was refused before it could run. */
class RefusedAtInitError extends Error {}

/** A customer, a service and a clock, for one behaviour of one layer. */
export class World {
  readonly #table: TestTable;
  readonly #layer: Layer;
  /** Also the prefix of idempotency keys. */
  readonly #customer = randomUUID();
  readonly #outcomes: string[] = [];
  readonly #started: [client: DynamoDBClient, meter: Meter][] = [];
  #requestsUnderWay = 0;
  #calls = 0;
  #charged = 0;
  #refusedUnits = 0;

  constructor(table: TestTable, layer: Layer) {
    this.#table = table;
    this.#layer = layer;
  }

  /** Delivers until the function's init is refused, and says what was seen. */
  async play(deliveries: Delivery[]): Promise<string> {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      for (const delivery of deliveries) await this.deliver(delivery);
    } catch (error) {
      if (!(error instanceof RefusedAtInitError)) throw error;
      this.#outcomes.push(await this.#addBooked(error.message));
    } finally {
      vi.useRealTimers();
      for (const [client] of this.#started) client.destroy();
    }
    const units = this.#started.reduce((sum, [, { writeUnits }]) => sum + writeUnits, 0);
    const refused = this.#refusedUnits > 0 ? ` + ${this.#refusedUnits}` : '';
    return [...this.#outcomes, `calls: ${this.#calls}, units: ${units}${refused}`].join('; ');
  }

  async deliver(delivery: Delivery = {}): Promise<void> {
    const { afterSeconds = 0, unsold, isDisabled, isBare, inBatch, orders = [{}] } = delivery;
    vi.setSystemTime(Date.now() + afterSeconds * 1_000);
    if (unsold !== undefined) await this.#setUnsold(unsold);
    if (isDisabled) vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', 'true');
    try {
      const { call, died } = this.#start(delivery);
      const context = makeContext(timeoutSeconds * 1_000);
      const complete = orders.map((order) => {
        return { id: 'order-1', customer: this.#customer, quantity: 1, ...order };
      });
      if (inBatch) return await this.#record(callBatch(call, complete, context), died);
      for (const order of complete) {
        const answer = call(order, isBare ? undefined : context);
        await this.#record(answer.then(describeAnswer), died);
      }
    } finally {
      vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', undefined);
    }
  }

  /** Lets every record of a batch ask for its lock before the first does its work. */
  async waitForRequests(): Promise<void> {
    while (this.#requestsUnderWay > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  #start(delivery: Delivery): { call: Call; died: Promise<string> } {
    const { config = {}, work = 'increment', crash, check, begin, end } = delivery;
    const settings = localClientConfig(this.#table.endpoint);
    const client =
      this.#layer === 'ours' ? createCommitClient(settings) : new DynamoDBClient(settings);
    const death = Promise.withResolvers<string>();
    const dieIf = async (moment: Delivery['crash']) => {
      if (moment !== crash) return;
      death.resolve('dies');
      await new Promise(() => {});
    };
    this.#watch(client, work, dieIf);
    failRecordWrites(client, delivery.failures ?? 0);
    this.#started.push([client, meterClient(client)]);
    const steps = {
      check: (order: Order) => check?.(order),
      begin: async () => {
        this.#calls += 1;
        await begin?.(this);
      },
      end: async () => end?.(),
      callService: async ({ quantity }: Order) => {
        await dieIf('before-work');
        this.#charged += quantity;
        await dieIf('after-work');
      },
    };
    const { tableName } = this.#table;
    try {
      const written = createFunction[this.#layer]({ client, tableName, config, work, steps });
      return { call: wrap(written, this.#customer, delivery.wrapper), died: death.promise };
    } catch (error) {
      throw new RefusedAtInitError(`at init: ${describeError(error as Error)}`);
    }
  }

  /** Watches an environment's requests, from outside of the meter, and lets it die at its work. */
  #watch(
    client: DynamoDBClient,
    work: Work,
    dieIf: (moment: Delivery['crash']) => Promise<void>,
  ): void {
    client.middlewareStack.add(
      (next) => async (args) => {
        const input = args.input as Input;
        // A call to another service dies there.
        const dieAtWork = work !== 'call-service' && isWork(input) ? dieIf : async () => {};
        await dieAtWork('before-work');
        this.#requestsUnderWay += 1;
        try {
          const answer = await next(args);
          await dieAtWork('after-work');
          return answer;
        } catch (error) {
          const { name } = error as Error;
          if (name === 'ConditionalCheckFailedException') this.#refusedUnits += 1;
          if (name === 'TransactionCanceledException')
            this.#refusedUnits += 2 * (input.TransactItems?.length ?? 0);
          throw error;
        } finally {
          this.#requestsUnderWay -= 1;
        }
      },
      { step: 'initialize', priority: 'high' },
    );
  }

  async #record(answer: Promise<string>, died: Promise<string>): Promise<void> {
    const index = this.#outcomes.push('') - 1;
    const outcome = await Promise.race([answer.catch(describeError), died]);
    this.#outcomes[index] = await this.#addBooked(outcome);
  }

  async #addBooked(outcome: string): Promise<string> {
    const { PK, SK } = totalKey({ customer: this.#customer });
    const item = await this.#table.get(PK, SK);
    return `${outcome} (${(item?.booked ?? 0) + this.#charged})`;
  }

  async #setUnsold(unsold: number): Promise<void> {
    await this.#table.client.send(
      new UpdateItemCommand({
        TableName: this.#table.tableName,
        Key: marshall(totalKey({ customer: this.#customer })),
        UpdateExpression: 'SET unsold = :unsold',
        ExpressionAttributeValues: marshall({ ':unsold': unsold }),
      }),
    );
  }
}

/** Fails nearest to the network, so that the SDK retries as it does on AWS. */
function failRecordWrites(client: DynamoDBClient, failures: number): void {
  let left = failures;
  client.middlewareStack.add(
    (next) => async (args) => {
      if (left === 0 || !isLastRecordWrite(args.input as Input)) return next(args);
      left -= 1;
      const $metadata = { httpStatusCode: 500 };
      const fields = { name: 'InternalServerError', $fault: 'server', $metadata };
      throw Object.assign(new Error('injected'), fields);
    },
    { step: 'deserialize', priority: 'low' },
  );
}

const isTotal = ({ Key }: Input) => Key?.SK?.S === 'TOTAL';

function isWork(input: Input): boolean {
  return input.TransactItems !== undefined || (!!input.UpdateExpression && isTotal(input));
}

// Powertools updates its record; the transaction is the only write of ours.
function isLastRecordWrite(input: Input): boolean {
  return input.TransactItems !== undefined || (!!input.UpdateExpression && !isTotal(input));
}

/** Makes the function idempotent, as the documentation of Powertools does. */
function wrap(
  { persistenceStore, config, book }: ReturnType<(typeof createFunction)[Layer]>,
  keyPrefix: string,
  wrapper: Delivery['wrapper'],
): Call {
  const options = { persistenceStore, config, keyPrefix };
  if (wrapper === undefined) return makeIdempotent(book, options);
  if (wrapper === 'middy') {
    const handler = middy(book).use(makeHandlerIdempotent(options));
    return (order, context) => handler(order, context as Context);
  }
  const bookFor = (_customer: string, order: Order) => book(order);
  const once = makeIdempotent(bookFor, { ...options, dataIndexArgument: 1 });
  return (order, context) => {
    if (context) config.registerLambdaContext(context);
    return once(order.customer, order);
  };
}

async function callBatch(call: Call, orders: Order[], context: Context): Promise<string> {
  const { batchItemFailures } = await processPartialResponse(
    makeBatch(orders.map((order) => JSON.stringify(order))),
    async ({ body }: SQSRecord) => call(JSON.parse(body), context),
    new BatchProcessor(EventType.SQS),
    { context, throwOnFullBatchFailure: false },
  );
  return `${batchItemFailures.length} of ${orders.length} reported as failed`;
}

function describeAnswer(answer: unknown): string {
  return answer === undefined ? 'no answer' : JSON.stringify(answer);
}

function describeError({ name, cause }: Error): string {
  return cause instanceof Error ? `${name} (${cause.name})` : name;
}
