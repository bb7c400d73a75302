import { randomUUID } from 'node:crypto';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type { IdempotencyLambdaHandlerOptions } from '@aws-lambda-powertools/idempotency/types';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import {
  addUpDeliverySeconds,
  createCommitClient,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';
import { vi } from 'vitest';
import { localClientConfig } from '../../../../cli/local-aws.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import type { TestTable } from '../../../../tests/helpers/test-table.ts';
import { type Delivery, timeoutSeconds } from './behaviours.ts';

interface Order {
  id?: string;
  customer: string;
  quantity: number;
}

/** What an environment's function meets. */
interface Environment {
  table: TestTable;
  delivery: Delivery;
  /** Powertools' settings that the author chose. */
  settings: ConstructorParameters<typeof IdempotencyConfig>[0];
  /** The function begins, does the work, at which the environment may die, and ends. */
  enter(): Promise<void>;
  work<T>(run: () => Promise<T>): Promise<T>;
  callService(order: Order): Promise<void>;
  leave(order: Order): void;
}

const daySeconds = 86_400;
const markerTtlSeconds = addUpDeliverySeconds({
  queueRetentionSeconds: 4 * daySeconds,
  deadLetterRetentionSeconds: 14 * daySeconds,
});
const totalKey = (customer: string) => ({ PK: `CUSTOMER#${customer}`, SK: 'TOTAL' });

const failure = (name: string) => Object.assign(new Error('on purpose'), { name });

function check({ quantity }: Order): void {
  if (quantity <= 0) throw failure('InvalidOrderError');
}

type Book = (order: Order, context: Context) => Promise<unknown>;

function wrap(
  { isMiddleware }: Delivery,
  book: Book,
  options: IdempotencyLambdaHandlerOptions,
): Book {
  return isMiddleware
    ? middy(book).use(makeHandlerIdempotent(options))
    : makeIdempotent(book, options);
}

/** The function with Powertools' own layer: it does the work itself. */
function createWithPowertools(environment: Environment) {
  const { table, delivery, settings, enter, work, leave, callService } = environment;
  const { tableName } = table;
  const client = new DynamoDBClient(localClientConfig(table.endpoint));
  const addToTotal = async ({ customer, quantity }: Order) => {
    const update = new UpdateItemCommand({
      TableName: tableName,
      Key: marshall(totalKey(customer)),
      UpdateExpression: 'ADD booked :quantity',
      ExpressionAttributeValues: marshall({ ':quantity': quantity }),
    });
    await client.send(update);
  };
  const book: Book = async (order) => {
    await enter();
    check(order);
    await work(() => (delivery.work === 'call-service' ? callService : addToTotal)(order));
    leave(order);
    return delivery.work === 'answer-total'
      ? { total: await readTotal(table, order.customer) }
      : { booked: order.quantity };
  };
  const keys = { keyAttr: 'PK', sortKeyAttr: 'SK' };
  return wrap(delivery, book, {
    persistenceStore: new DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client, ...keys }),
    config: new IdempotencyConfig(settings ?? {}),
    keyPrefix: 'BOOKING',
  });
}

/** The function with this package's layer: it declares the work, and the layer does it. */
function createWithOurs(environment: Environment) {
  const { table, delivery, settings, enter, work, leave, callService } = environment;
  const isCall = delivery.work === 'call-service';
  const client = createCommitClient(localClientConfig(table.endpoint));
  const atCommit = { step: 'initialize', priority: 'high' } as const;
  if (!isCall) client.middlewareStack.add((next) => (args) => work(() => next(args)), atCommit);
  const config = new IdempotencyConfig({
    throwOnNoIdempotencyKey: true,
    expiresAfterSeconds: markerTtlSeconds,
    ...settings,
  });
  const persistenceStore = new TransactionalPersistenceLayer<Order>({
    client,
    tableName: table.tableName,
    config,
    markerTtlSeconds: config.expiresAfterSeconds,
    markerKey: (key) => ({ PK: key, SK: 'MARKER' }),
    effects: (order) => {
      check(order);
      const { customer, quantity } = order;
      const increments = [{ key: totalKey(customer), attribute: 'booked', by: quantity }];
      const response = { booked: quantity };
      if (delivery.work === 'answer-total') return { increments };
      return isCall ? { response } : { increments, response };
    },
  });
  const book: Book = async (order) => {
    const answer = persistenceStore.responseOf(order) ?? null;
    await enter();
    if (isCall) await work(() => callService(order));
    leave(order);
    // The total is known only after the commit, so it can't be in the marker.
    return delivery.work === 'answer-total'
      ? { total: await readTotal(table, order.customer) }
      : answer;
  };
  return wrap(delivery, book, { persistenceStore, config, keyPrefix: 'BOOKING' });
}

const create = { powertools: createWithPowertools, ours: createWithOurs };

async function readTotal(table: TestTable, customer: string): Promise<number> {
  const { PK, SK } = totalKey(customer);
  return (await table.get(PK, SK))?.booked ?? 0;
}

/** Delivers one after another. Returns what each answered, and what is booked in the end. */
export async function play(table: TestTable, layer: keyof typeof create, deliveries: Delivery[]) {
  const [id, customer] = [randomUUID(), randomUUID()];
  const seen: string[] = [];
  let calls = 0;
  let charged = 0;
  const readBooked = async () => (await readTotal(table, customer)) + charged;

  async function deliver(delivery: Delivery): Promise<void> {
    const { afterSeconds = 0, quantity = 1, isKeyless, expiresAfterSeconds } = delivery;
    const index = seen.push('') - 1;
    const death = Promise.withResolvers<string>();
    const meet = async (moment: Delivery['crash']) => {
      if (delivery.crash !== moment) return;
      death.resolve('dies');
      await new Promise(() => {});
    };
    const fail = (moment: Delivery['fails']) => {
      if (delivery.fails === moment) throw failure('BookingError');
    };
    const environment: Environment = {
      table,
      delivery,
      settings: {
        eventKeyJmesPath: 'id',
        ...(!delivery.isUnvalidated && { payloadValidationJmesPath: 'quantity' }),
        ...(isKeyless && { throwOnNoIdempotencyKey: false }),
        ...(expiresAfterSeconds && { expiresAfterSeconds }),
      },
      enter: async () => {
        calls += 1;
        if (delivery.isOvertaken) await deliver({});
        fail('before-work');
      },
      work: async (run) => {
        await meet('before-work');
        const result = await run();
        await meet('after-work');
        return result;
      },
      callService: async (order) => {
        charged += order.quantity;
      },
      leave: (order) => {
        fail('after-work');
        if (delivery.changesInput) order.id = randomUUID();
      },
    };
    vi.setSystemTime(Date.now() + afterSeconds * 1_000);
    vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', delivery.isDisabled ? 'true' : undefined);
    const order = { customer, quantity, ...(!isKeyless && { id }) };
    const answer = Promise.try(async () => {
      const book = create[layer](environment);
      return describeAnswer(await book(order, makeContext(timeoutSeconds * 1_000)));
    });
    const outcome = await Promise.race([answer.catch(describeError), death.promise]);
    seen[index] = `${outcome} (${await readBooked()})`;
  }

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    for (const delivery of deliveries) await deliver(delivery);
  } finally {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  }
  return { cell: [...seen, `calls: ${calls}`].join('<br>'), booked: await readBooked() };
}

function describeAnswer(answer: unknown): string {
  return answer === undefined ? 'no answer' : `\`${JSON.stringify(answer)}\``;
}

function describeError({ name, cause }: Error): string {
  return cause instanceof Error ? `\`${name}\` (\`${cause.name}\`)` : `\`${name}\``;
}
