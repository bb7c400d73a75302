import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import {
  type CancellationReason,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { TransactionalPersistenceLayer } from 'powertools-idempotency-transactional';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { applyAction } from '../helpers/entries.ts';
import { makeConfig } from '../helpers/layer.ts';
import { accepted, conflict, none } from './scripted-dynamodb.ts';

// Explores the public API exhaustively: two invocations with a batch each, over a scripted DynamoDB in virtual time.
// An execution is one sequence of choices: whose request is answered next, whether a late copy of an earlier one
// lands first, and what goes wrong with it. Then the faults end, and all messages are delivered once more.

type Item = NonNullable<ReturnType<typeof applyAction>>;
type Put = NonNullable<TransactWriteItem['Put']>;

interface Order {
  id: string;
  customer: string;
}

interface Scenario {
  name: string;
  /** Executions with up to this number of faults are all explored. */
  faults: number;
  batches: [Order[], Order[]];
  /** An expired marker that TTL hasn't deleted. */
  expired?: string;
  mistake?: Mistake;
}

/** What a wrong layer would send, and what it would take a response for. */
interface Mistake {
  send?: (input: Input) => Input;
  hear?: (response: object) => object;
}

interface Input {
  ClientRequestToken: string;
  TransactItems?: TransactWriteItem[];
  RequestItems?: { orders?: { Keys: Item[] } };
}

/** A request that waits for its response. */
interface Flight {
  instance: Instance;
  input: Input;
  respond: (response: object) => void;
}

type Instance = ReturnType<typeof startInstance>;

type Option = [label: string, take: () => void];

/** Sequences of choices, depth first. */
class Choices {
  readonly #path: { taken: number; of: number }[] = [];
  taken: string[] = [];
  #depth = 0;

  pick(options: Option[]): Option {
    const [first] = options;
    if (!first) throw new Error('expected a choice');
    if (options.length === 1) return first;
    this.#path[this.#depth] ??= { taken: 0, of: options.length };
    const option = options[this.#path[this.#depth]?.taken ?? 0] ?? first;
    this.#depth += 1;
    this.taken.push(option[0]);
    return option;
  }

  /** Whether there is another sequence. */
  next(): boolean {
    [this.#depth, this.taken] = [0, []];
    for (let last = this.#path.at(-1); last; last = this.#path.at(-1)) {
      last.taken += 1;
      if (last.taken < last.of) return true;
      this.#path.pop();
    }
    return false;
  }
}

const retention = 1_000;
const config = makeConfig({
  payloadValidationJmesPath: 'customer',
  expiresAfterSeconds: retention,
  useLocalCache: true,
  responseHook: () => 'known',
});

function startInstance(send: (instance: Instance, input: Input, signal: AbortSignal) => unknown) {
  const instance = { isDead: false, open: 0, book: async (_order: Order) => '' };
  const client = {
    send: ({ input }: { input: Input }, { abortSignal }: { abortSignal: AbortSignal }) =>
      send(instance, input, abortSignal),
  };
  const layer = new TransactionalPersistenceLayer<Order>({
    client: client as unknown as DynamoDBClient,
    tableName: 'orders',
    config,
    markerTtlSeconds: retention,
    markerKey: (key) => ({ PK: key, SK: 'MARKER' }),
    slot: (key) =>
      key.startsWith('ORDER#s')
        ? { sheetKey: { PK: 'SHEET', SK: 'MARKER' }, index: Number(key.at(-1)) }
        : undefined,
    effects: ({ id, customer }) => ({
      increments: [
        { key: { PK: customer, SK: 'TOTAL' }, attribute: 'orders', by: 1, mustExist: true },
        { key: { PK: customer, SK: 'TOTAL' }, attribute: id, by: 1, mustExist: true },
        { key: { PK: customer, SK: 'DAY' }, attribute: 'orders', by: 1 },
      ],
    }),
  });
  const run = async (order: Order, _context: unknown) => {
    layer.receiptOf(order);
    return 'booked';
  };
  const book = makeIdempotent(run, { persistenceStore: layer, keyPrefix: 'ORDER', config });
  instance.book = (order) => book({ ...order }, makeContext(10_000, 'request'));
  return instance;
}

const failure = (name: string, $fault?: string, httpStatusCode?: number) =>
  Object.assign(new Error(name), { name, $fault, $metadata: { httpStatusCode } });
const reset = () => Object.assign(failure('TimeoutError'), { code: 'ECONNRESET' });
const keyOf = ({ PK, SK }: Item) => `${PK?.S} ${SK?.S}`;
const targetOf = ({ Put, Update }: TransactWriteItem) => keyOf(Put?.Item ?? Update?.Key ?? {});
const isMarker = (action?: TransactWriteItem) => action && targetOf(action).endsWith(' MARKER');
const drain = () => new Promise((resolve) => setImmediate(resolve));

/** After these alone, whoever's request is committed hears so. */
const harmless = /^(never arrives|reset|silence|500|throttled|in progress|unproven)$/;
/** After these, a message may fail. */
const severe = /^(denied|crash)/;

class Execution {
  readonly #scenario: Scenario;
  readonly #choices: Choices;
  readonly #table = new Map<string, Item>();
  readonly #tokens = new Set<string>();
  #flights: Flight[] = [];
  readonly #late: Input[] = [];
  readonly #bookings = new Map<string, number>();
  readonly #instances: Instance[] = [];
  readonly faults: string[] = [];
  #isCalm = false;
  violation: string | undefined;
  /** No process ended, but nobody was told that an order was booked. */
  isUntold = false;

  constructor(scenario: Scenario, choices: Choices) {
    this.#scenario = scenario;
    this.#choices = choices;
    for (const PK of ['ann', 'bob']) this.#store({ PK: { S: PK }, SK: { S: 'TOTAL' } });
    const { expired } = scenario;
    const ttl = { N: `${Math.floor(Date.now() / 1_000) - 10}` };
    if (expired) this.#store({ PK: { S: `ORDER#${expired}` }, SK: { S: 'MARKER' }, ttl });
  }

  async run(): Promise<void> {
    const { batches } = this.#scenario;
    for (const batch of batches) this.#deliver(batch, this.#start());
    await this.#pass();
    this.#checkTold();
    this.#isCalm = true;
    this.#store({ PK: { S: 'zoe' }, SK: { S: 'TOTAL' } });
    for (const [index, batch] of batches.entries()) {
      const [instance] = this.#instances.slice(index);
      this.#deliver(batch, instance && !instance.isDead ? instance : this.#start());
    }
    await this.#pass();
    for (const input of this.#late) this.#execute(input);
    for (const { id } of batches.flat()) this.#check(this.#count(id) === 1, `${id} isn't counted`);
  }

  #start(): Instance {
    const instance = startInstance((caller, input, signal) => {
      return new Promise((resolve, reject) => {
        if (caller.isDead) return;
        signal.addEventListener('abort', () => reject(failure('AbortError')));
        const { send = (sent: Input) => sent, hear = (heard: object) => heard } =
          this.#scenario.mistake ?? {};
        const respond = (response: object) => {
          const heard = hear(response);
          return heard instanceof Error ? reject(heard) : resolve(heard);
        };
        this.#flights.push({ instance: caller, input: send(input), respond });
      });
    });
    this.#instances.push(instance);
    return instance;
  }

  #deliver(batch: Order[], instance: Instance): void {
    for (const order of batch) {
      instance.open += 1;
      const settle = (judge: () => void) => {
        if (!instance.isDead) judge();
        instance.open -= 1;
      };
      instance.book(order).then(
        (result) => settle(() => this.#onDone(order, result)),
        (error) => settle(() => this.#onFailed(order, error)),
      );
    }
  }

  #onDone({ id, customer }: Order, result: string): void {
    this.#check(this.#count(id, customer) === 1, `${id} of ${customer} is done, but not counted`);
    if (result !== 'booked') return;
    this.#bookings.set(id, (this.#bookings.get(id) ?? 0) + 1);
    this.#check(this.#bookings.get(id) === 1, `the function ran twice for ${id}`);
  }

  #onFailed({ id, customer }: Order, { cause }: Error): void {
    const mayFail = !this.#isCalm && this.faults.some((fault) => severe.test(fault));
    const isUnknown = !this.#table.has(`${customer} TOTAL`);
    const isChanged = this.#count(id) === 1 && this.#count(id, customer) === 0;
    this.#check(mayFail || isUnknown || isChanged, `${id} of ${customer} fails: ${cause}`);
  }

  #checkTold(): void {
    const ids = this.#scenario.batches.flat().map(({ id }) => id);
    const untold = ids.filter((id) => this.#count(id) === 1 && !this.#bookings.has(id));
    const isExcused = this.faults.some((fault) => !harmless.test(fault));
    this.#check(isExcused || untold.length === 0, `nobody is told of ${untold}`);
    this.isUntold = untold.length > 0 && !this.faults.some((fault) => severe.test(fault));
  }

  // Virtual time passes only while no request waits.
  async #pass(): Promise<void> {
    for (;;) {
      await drain();
      if (this.violation !== undefined) return;
      if (this.#flights.length > 0) this.#step();
      else if (this.#instances.some(({ isDead, open }) => !isDead && open > 0)) {
        this.#check(vi.getTimerCount() > 0, 'an order is never settled');
        vi.advanceTimersToNextTimer();
      } else return;
    }
  }

  #step(): void {
    const options = new Map(
      this.#flights.map((flight, index) => [`request ${index}`, () => this.#answer(flight)]),
    );
    if (this.#isCalm) for (const label of [...options.keys()].slice(1)) options.delete(label);
    for (const [index, input] of this.#late.entries()) {
      const isKnown = this.#tokens.has(input.ClientRequestToken);
      if (isKnown && !this.#mayFail()) continue;
      options.set(isKnown ? `forgotten, late ${index}` : `late ${index}`, () => {
        this.#late.splice(index, 1);
        if (isKnown) this.faults.push('forgotten');
        this.#execute(input, { forgets: true });
      });
    }
    this.#choices.pick([...options])[1]();
  }

  #mayFail(): boolean {
    return !this.#isCalm && this.faults.length < this.#scenario.faults;
  }

  #answer(flight: Flight): void {
    this.#flights.splice(this.#flights.indexOf(flight), 1);
    const { input, respond } = flight;
    const faults = this.#mayFail() ? this.#faultsOf(flight) : {};
    const asUsual: [string, () => void] = ['-', () => respond(this.#execute(input))];
    const [label, take] = this.#choices.pick([asUsual, ...Object.entries(faults)]);
    if (label !== '-') this.faults.push(label);
    take();
  }

  #faultsOf({ instance, input, respond }: Flight): Record<string, () => void> {
    const { ClientRequestToken: token, TransactItems: actions = [], RequestItems } = input;
    const execute = (how = {}) => this.#execute(input, how);
    const refuse =
      (name: string, status = 400) =>
      () =>
        respond(failure(name, status < 500 ? 'client' : 'server', status));
    const crash = () => {
      instance.isDead = true;
      this.#flights = this.#flights.filter((other) => other.instance !== instance);
    };
    const faults = {
      'never arrives': () => respond(reset()),
      denied: refuse('AccessDeniedException'),
      'crash before': crash,
    };
    if (RequestItems) {
      const finds = (count: number) => () => respond(this.#read(input, count));
      const isPartial = RequestItems.orders?.Keys[1];
      return { ...faults, 'finds nothing': finds(0), ...(isPartial && { 'finds one': finds(1) }) };
    }
    const isTaken = actions.some((one) => isMarker(one) && this.#table.has(targetOf(one)));
    const conflicts = actions.map((_, conflictAt) => {
      return [`conflict at ${conflictAt}`, () => respond(execute({ conflictAt }))];
    });
    return {
      ...faults,
      'crash after': () => [execute(), crash()],
      late: () => [respond(reset()), this.#late.push(input)],
      twice: () => [respond(execute()), this.#late.push(input)],
      slow: () => setTimeout(() => this.#flights.push({ instance, input, respond }), 25),
      reset: () => [execute(), respond(reset())],
      silence: execute,
      500: refuse('InternalServerError', 500),
      throttled: refuse('ThrottlingException'),
      'in progress': refuse('TransactionInProgressException'),
      unproven: () => respond({}),
      ...Object.fromEntries(conflicts),
      ...(isTaken && { bare: () => respond(execute({ isBare: true })) }),
      ...(this.#tokens.has(token) && { forgotten: () => respond(execute({ forgets: true })) }),
    };
  }

  /** DynamoDB's response. */
  #execute(input: Input, { forgets = false, isBare = false, conflictAt = -1 } = {}): object {
    if (input.RequestItems) return this.#read(input);
    const { ClientRequestToken: token, TransactItems: actions = [] } = input;
    if (this.#tokens.has(token) && !forgets) return accepted;
    const afterwards = actions.map((action) =>
      applyAction(action, this.#table.get(targetOf(action))),
    );
    const reasons = actions.map((action, position): CancellationReason => {
      if (position === conflictAt) return conflict;
      if (afterwards[position]) return none;
      const Item = isBare && isMarker(action) ? undefined : this.#table.get(targetOf(action));
      return { Code: 'ConditionalCheckFailed', ...(Item && { Item }) };
    });
    if (reasons.some(({ Code }) => Code !== 'None')) {
      const given = { message: 'cancelled', $metadata: {}, CancellationReasons: reasons };
      return new TransactionCanceledException(given);
    }
    for (const after of afterwards) if (after) this.#store(after);
    this.#tokens.add(token);
    for (const { id, customer } of this.#scenario.batches.flat()) {
      this.#check(this.#count(id) <= 1, `${id} is counted twice`);
      const [total, day] = ['TOTAL', 'DAY'].map((SK) => this.#number(customer, SK, 'orders'));
      this.#check(total === day, `${customer} has ${total} orders, and ${day} on the day`);
    }
    return accepted;
  }

  #read({ RequestItems = {} }: Input, count = Number.POSITIVE_INFINITY): object {
    const keys = RequestItems.orders?.Keys ?? [];
    const items = keys.map((key) => this.#table.get(keyOf(key)));
    return { Responses: { orders: items.filter((item) => item !== undefined).slice(0, count) } };
  }

  #store(item: Item): void {
    this.#table.set(keyOf(item), item);
  }

  #count(id: string, ...customers: string[]): number {
    const counted = customers.length > 0 ? customers : ['ann', 'bob', 'zoe'];
    return counted.reduce((sum, customer) => sum + this.#number(customer, 'TOTAL', id), 0);
  }

  #number(customer: string, sort: string, attribute: string): number {
    return Number(this.#table.get(`${customer} ${sort}`)?.[attribute]?.N ?? 0);
  }

  #check(isTrue: boolean, violation: string): void {
    if (!isTrue) this.violation ??= `${violation}, after: ${this.#choices.taken.join('; ')}`;
  }
}

const { stackTraceLimit } = Error;

beforeAll(() => {
  Error.stackTraceLimit = 0;
  vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ann = (id: string): Order => ({ id, customer: 'ann' });
const bob = (id: string): Order => ({ id, customer: 'bob' });
const zoe = (id: string): Order => ({ id, customer: 'zoe' });

const single: Scenario = { name: 'one order', faults: 3, batches: [[ann('a')], []] };
const sheets: Scenario = {
  name: 'two batches on a sheet',
  faults: 2,
  batches: [[ann('s1'), ann('s2')], [ann('s1')]],
};
const payloads: Scenario = {
  name: 'another payload and an unknown customer',
  faults: 2,
  batches: [[ann('a'), bob('a'), zoe('s1')], []],
};
const expired: Scenario = {
  name: 'an expired marker',
  faults: 2,
  batches: [[ann('a')], [ann('a')]],
  expired: 'a',
};

// Each layer has an AsyncLocalStorage, and contexts would carry those of all earlier layers.
const inFirstContext = AsyncLocalStorage.snapshot();

/** Explores until it finds a violation. */
async function explore(scenario: Scenario) {
  const choices = new Choices();
  let [executions, untold] = [0, 0];
  do {
    vi.clearAllTimers();
    const execution = new Execution(scenario, choices);
    await inFirstContext(() => execution.run());
    executions += 1;
    if (execution.isUntold) untold += 1;
    if (execution.violation !== undefined)
      return { violation: execution.violation, executions, untold };
  } while (choices.next());
  return { executions, untold };
}

// How many executions these are, the reporter shows: `npx vitest run … explorer --reporter verbose`.
test.for([single, sheets, payloads, expired])(
  '$name: all executions with up to $faults faults commit each order once',
  { timeout: 1_800_000 },
  async (scenario, { annotate }) => {
    const { violation, executions, untold } = await explore(scenario);

    expect(violation).toBeUndefined();
    expect(executions).toBeGreaterThan(100);
    await annotate(
      `${executions} executions; in ${untold}, nobody hears of a commit, though no process ends`,
    );
  },
);

const changePuts = (input: Input, isChosen: (put: Put) => unknown) => ({
  ...input,
  TransactItems: input.TransactItems?.map(({ Put, ...rest }) =>
    Put && isChosen(Put) ? { Put: { TableName: Put.TableName, Item: Put.Item } } : { Put, ...rest },
  ),
});

const changeReasons =
  (change: (reason: CancellationReason) => CancellationReason) => (response: object) =>
    response instanceof TransactionCanceledException
      ? new TransactionCanceledException({
          ...response,
          CancellationReasons: response.CancellationReasons?.map(change),
        })
      : response;

// The hash is that of echo -n '"ann"' | openssl md5 -binary | base64
const validation = { S: '2aIAAw4ap2nXtxZm5gbztA==' };
const taken = { Code: 'ConditionalCheckFailed', Item: { ttl: { N: '4000000000' }, validation } };

describe('a wrong layer is found out: one that', () => {
  test.each<[string, Scenario, Mistake, string]>([
    [
      'sets a marker without a condition',
      single,
      { send: (input) => changePuts(input, () => true) },
      'counted twice',
    ],
    [
      'replaces any marker once it has seen an expired one',
      expired,
      { send: (input) => changePuts(input, (put) => put.ConditionExpression?.includes(' OR ')) },
      'counted twice',
    ],
    [
      'takes a new token for each attempt',
      single,
      { send: (input) => ({ ...input, ClientRequestToken: randomUUID() }) },
      'nobody is told',
    ],
    [
      'takes a conflict for a duplicate',
      single,
      { hear: changeReasons((reason) => (reason === conflict ? taken : reason)) },
      'not counted',
    ],
    [
      'takes any refusal at a marker for a duplicate, even an expired one',
      expired,
      { hear: changeReasons((reason) => (reason.Item ? taken : reason)) },
      'not counted',
    ],
    [
      'takes a success without proof for a commit',
      single,
      { hear: (response) => (Object.keys(response).length > 0 ? response : accepted) },
      'not counted',
    ],
    [
      'takes a lost response for a commit',
      single,
      { hear: (response) => ('code' in response ? accepted : response) },
      'not counted',
    ],
  ])('%s', async (_, scenario, mistake, expected) => {
    const { violation } = await explore({ ...scenario, mistake });

    expect(violation).toContain(expected);
  });
});
