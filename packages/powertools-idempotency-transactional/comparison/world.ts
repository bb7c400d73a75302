import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { type Meter, meterClient } from '../../../fixtures/capacity-meter.ts';
import { clockOffsetMs, setClock } from '../../../fixtures/clock.ts';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { type Environment, type Faults, openEnvironment } from './environment.ts';
import type { Delivery, Observation, Side } from './observation.ts';
import { createOurs } from './ours.ts';
import { type Order, type Steps, totalKey, type Work } from './side.ts';
import { createStock } from './stock.ts';
import { type Call, callBatch, describeAnswer, describeError, type Wrapper, wrap } from './wrap.ts';

/** The function's timeout, in seconds. */
export const timeoutSeconds = 30;

/** How the author writes the function, and what happens to it. */
export interface Setup extends Faults {
  config?: IdempotencyConfigOptions;
  /** Increments a total by default. */
  work?: Work;
  wrapper?: Wrapper;
  check?(order: Order): void;
  begin?(environment: Environment): Promise<void>;
  end?(environment: Environment): Promise<void>;
}

/** Where a behaviour is played. */
export interface Stage {
  endpoint: string;
  recordTable: string;
  orderTable: string;
}

interface Started {
  client: DynamoDBClient;
  meter: Meter;
  environment: Environment;
}

/** The author's function was refused before it could run. */
class RefusedAtInitError extends Error {}

/** A customer, a service and a clock, for one behaviour of one side. */
export class World {
  readonly #stage: Stage;
  readonly #side: Side;
  /** Also the customer, and the prefix of idempotency keys. */
  readonly #name: string;
  readonly #reader: DynamoDBClient;
  readonly #started: Started[] = [];
  readonly #deliveries: Delivery[] = [];
  #calls = 0;
  #charged = 0;

  /** `name` is unique for each world of a stage. */
  constructor(stage: Stage, side: Side, name: string) {
    this.#stage = stage;
    this.#side = side;
    this.#name = name;
    this.#reader = new DynamoDBClient(localClientConfig(stage.endpoint));
  }

  /** Plays a behaviour, and says what was seen. */
  async observe(play: (world: World) => Promise<void>): Promise<Observation> {
    try {
      await play(this);
    } catch (error) {
      if (!(error instanceof RefusedAtInitError)) throw error;
      await this.#record(this.#deliveries.length, error.message);
    } finally {
      setClock(0);
    }
    const sum = (read: (started: Started) => number) =>
      this.#started.reduce((total, started) => total + read(started), 0);
    const observation = {
      deliveries: this.#deliveries,
      calls: this.#calls,
      units: sum(({ meter }) => meter.writeUnits),
      refusedUnits: sum(({ environment }) => environment.refusedUnits),
    };
    for (const { client } of [...this.#started, { client: this.#reader }]) client.destroy();
    return observation;
  }

  /** Starts the function in an environment of its own. If its init is refused, the behaviour ends. */
  start(setup: Setup = {}) {
    const { call, environment } = this.#open(setup);
    return {
      /** Delivers one order. `isBare` leaves out the context of Lambda. */
      deliver: (order: Partial<Order> = {}, { isBare = false } = {}) =>
        this.#invoke(environment, async () => {
          const context = isBare ? undefined : makeContext(timeoutSeconds * 1_000);
          return describeAnswer(await call(this.#complete(order), context));
        }),
      /** Delivers orders in one batch of SQS. */
      deliverBatch: (orders: Partial<Order>[]) =>
        this.#invoke(environment, () => {
          const full = orders.map((order) => this.#complete(order));
          return callBatch(call, full, makeContext(timeoutSeconds * 1_000));
        }),
    };
  }

  advance(seconds: number): void {
    setClock(clockOffsetMs() + seconds * 1_000);
  }

  /** Puts so many pieces on sale. */
  async stockUp(unsold: number): Promise<void> {
    const Item = marshall({ ...this.#total(), unsold, booked: await this.#readBooked() });
    await this.#reader.send(new PutItemCommand({ TableName: this.#stage.orderTable, Item }));
  }

  #open(setup: Setup): { call: Call; environment: Environment } {
    const { endpoint, recordTable, orderTable } = this.#stage;
    const settings = localClientConfig(endpoint);
    const isOurs = this.#side === 'ours';
    const client = isOurs ? createCommitClient(settings) : new DynamoDBClient(settings);
    const { config = {}, work = 'increment', wrapper = 'make-idempotent' } = setup;
    // A call to another service crashes by itself.
    const environment = openEnvironment(client, work === 'call-service' ? {} : setup);
    this.#started.push({ client, meter: meterClient(client), environment });
    const steps = this.#toSteps(setup, environment);
    const deployment = { client, recordTable, orderTable, config, work, steps };
    try {
      const written = isOurs ? createOurs(deployment) : createStock(deployment);
      return { call: wrap(written, this.#name, wrapper), environment };
    } catch (error) {
      throw new RefusedAtInitError(`at init: ${describeError(error as Error)}`);
    }
  }

  #toSteps({ check, begin, end, crash }: Setup, environment: Environment): Steps {
    return {
      check: (order) => check?.(order),
      begin: async () => {
        this.#calls += 1;
        await begin?.(environment);
      },
      end: async () => end?.(environment),
      callService: async ({ quantity }) => {
        if (crash === 'before-work') await environment.die();
        this.#charged += quantity;
        if (crash === 'after-work') await environment.die();
      },
    };
  }

  async #invoke({ died }: Environment, run: () => Promise<string>): Promise<void> {
    const index = this.#deliveries.push(['', 0]) - 1;
    const outcome = await Promise.race([run().catch(describeError), died]);
    await this.#record(index, outcome);
  }

  async #record(index: number, outcome: string): Promise<void> {
    this.#deliveries[index] = [outcome, await this.#readBooked()];
  }

  #complete(order: Partial<Order>): Order {
    return { id: 'order-1', customer: this.#name, quantity: 1, ...order };
  }

  #total() {
    return totalKey({ customer: this.#name });
  }

  async #readBooked(): Promise<number> {
    const Key = marshall(this.#total());
    const { orderTable: TableName } = this.#stage;
    const { Item = {} } = await this.#reader.send(
      new GetItemCommand({ TableName, Key, ConsistentRead: true }),
    );
    return (unmarshall(Item).booked ?? 0) + this.#charged;
  }
}
