import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type {
  IdempotencyConfigOptions,
  IdempotencyLambdaHandlerOptions,
} from '@aws-lambda-powertools/idempotency/types';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { addUpDeliverySeconds, createCommitClient } from 'powertools-idempotency-transactional';
import { expect, test, vi } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { readPage } from '../helpers/examples.ts';
import { makeConfig, makeLayer, makePowertoolsLayer } from '../helpers/layer.ts';
import { addDirectly, addToTotal, readTotal } from '../helpers/totals.ts';

const table = useTable();

/** An order that reaches the function in an environment of its own. */
interface Delivery {
  /** After the delivery before it. */
  afterSeconds?: number;
  /** The order has no idempotency key, and needs none. */
  isKeyless?: boolean;
  quantity?: number;
  /** Powertools' settings that the author chose. */
  settings?: IdempotencyConfigOptions;
  isDisabled?: boolean;
  /** Increments a total by default. */
  work?: 'answer-total' | 'call-service';
  /** When the environment dies. */
  crash?: 'before-work' | 'after-work';
  /** When the function throws. */
  fails?: 'before-work' | 'after-work';
  /** The same order is delivered again before the work. */
  isOvertaken?: boolean;
  /** The function gives its order another id after the work. */
  changesInput?: boolean;
  /** The function is a handler with Powertools' Middy middleware. */
  isMiddleware?: boolean;
}

const timeoutSeconds = 30;

interface Order {
  id?: string;
  customer: string;
  quantity: number;
}

/** What a function meets in its environment. */
interface Environment {
  delivery: Delivery;
  settings: IdempotencyConfigOptions;
  /** Does work at which the environment may die. */
  work<T>(task: () => Promise<T>): Promise<T>;
  /** The function itself: does the task, or calls the service, and returns the answer, or the total. */
  run(order: Order, answer: unknown, task?: () => Promise<void>): Promise<unknown>;
}

const daySeconds = 86_400;
const markerTtlSeconds = addUpDeliverySeconds({
  queueRetentionSeconds: 4 * daySeconds,
  deadLetterRetentionSeconds: 14 * daySeconds,
});

const failure = (name: string) => Object.assign(new Error('on purpose'), { name });

function check({ quantity }: Order): void {
  if (quantity <= 0) throw failure('InvalidOrderError');
}

type Book = (order: Order, context: Context) => Promise<unknown>;

function wrap({ isMiddleware }: Delivery, book: Book, layer: IdempotencyLambdaHandlerOptions) {
  const options = { ...layer, keyPrefix: 'BOOKING' };
  return isMiddleware
    ? middy(book).use(makeHandlerIdempotent(options))
    : makeIdempotent(book, options);
}

/** The function with Powertools' own layer: it does the work itself. */
function createWithPowertools({ delivery, settings, run }: Environment) {
  const { client } = table;
  const book: Book = (order) =>
    run(order, { booked: order.quantity }, async () => {
      check(order);
      await addDirectly(client, order.customer, order.quantity);
    });
  const config = new IdempotencyConfig(settings);
  return wrap(delivery, book, { persistenceStore: makePowertoolsLayer(client), config });
}

/** The function with this package's layer: it declares the work, and the layer does it. */
function createWithOurs({ delivery, settings, work, run }: Environment) {
  const isCall = delivery.work === 'call-service';
  const client = createCommitClient();
  const atCommit = { step: 'initialize', priority: 'high' } as const;
  if (!isCall) client.middlewareStack.add((next) => (args) => work(() => next(args)), atCommit);
  const layer = makeLayer<Order>(
    (order) => {
      check(order);
      const response = { booked: order.quantity };
      if (isCall) return { response };
      const added = addToTotal(order.customer, order.quantity);
      // The total is known only after the commit, so it can't be in the marker.
      return delivery.work === 'answer-total' ? added : { ...added, response };
    },
    makeConfig({ expiresAfterSeconds: markerTtlSeconds, ...settings }),
    { awsSdkV3Client: client },
  );
  const book: Book = async (order) => run(order, layer.persistenceStore.responseOf(order));
  return wrap(delivery, book, layer);
}

/** Delivers one after another. Returns what each answered, and what is booked in the end. */
async function play(create: (environment: Environment) => Book, deliveries: Delivery[]) {
  const id = randomUUID();
  const customer = randomUUID();
  const seen: string[] = [];
  let calls = 0;
  let charged = 0;
  const readBooked = async () => (await readTotal(table, customer)) + charged;

  async function deliver(delivery: Delivery): Promise<void> {
    const { afterSeconds = 0, quantity = 1, isKeyless } = delivery;
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
    const charge = async () => {
      charged += quantity;
    };
    const environment: Environment = {
      delivery,
      settings: {
        eventKeyJmesPath: 'id',
        payloadValidationJmesPath: 'quantity',
        ...delivery.settings,
      },
      work: async (task) => {
        await meet('before-work');
        const result = await task();
        await meet('after-work');
        return result;
      },
      run: async (order, answer, task) => {
        calls += 1;
        if (delivery.isOvertaken) await deliver({});
        fail('before-work');
        const chosen = delivery.work === 'call-service' ? charge : task;
        if (chosen) await environment.work(chosen);
        fail('after-work');
        if (delivery.changesInput) order.id = randomUUID();
        return delivery.work === 'answer-total' ? { total: await readBooked() } : answer;
      },
    };
    vi.setSystemTime(Date.now() + afterSeconds * 1_000);
    vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', delivery.isDisabled ? 'true' : undefined);
    const order = { customer, quantity, ...(!isKeyless && { id }) };
    const answer = Promise.try(() =>
      create(environment)(order, makeContext(timeoutSeconds * 1_000)),
    );
    const described = answer.then((value) => `\`${JSON.stringify(value)}\``, describeError);
    const outcome = await Promise.race([described, death.promise]);
    seen[index] = `${outcome} (${await readBooked()})`;
  }

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    for (const delivery of deliveries) await deliver(delivery);
  } finally {
    vi.useRealTimers();
    vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', undefined);
  }
  return { cell: [...seen, `calls: ${calls}`].join('<br>'), booked: await readBooked() };
}

function describeError({ name, cause }: Error): string {
  return cause instanceof Error ? `\`${name}\` (\`${cause.name}\`)` : `\`${name}\``;
}

const afterTimeout = { afterSeconds: timeoutSeconds + 1 };
const twice = (delivery: Delivery) => [delivery, delivery];
const changing = (delivery: Delivery, ...quantities: number[]) =>
  quantities.map((quantity) => ({ ...delivery, quantity }));
const dyingCall = (crash: Delivery['crash']): Delivery[] => [
  { work: 'call-service', crash },
  { work: 'call-service', ...afterTimeout },
];
const expiring: Delivery = { settings: { expiresAfterSeconds: 60 }, afterSeconds: 120 };
const keyless: Delivery = { isKeyless: true, settings: { throwOnNoIdempotencyKey: false } };
const unvalidated: Delivery = { settings: { payloadValidationJmesPath: undefined } };

/** The deliveries of the page's rows, by how a row begins. `--update` fills in a new row's cells. */
const behaviours: Record<string, Delivery[]> = {
  'An order arrives twice.': twice({}),
  'An order arrives again after its record has expired.': twice(expiring),
  'An order arrives again while the function runs.': [{ isOvertaken: true }],
  'The function ends before the work': [{ crash: 'before-work' }, {}, afterTimeout],
  'An order without a key arrives twice': twice(keyless),
  'The function throws before its work': [{ fails: 'before-work' }, {}],
  'The function throws after its work': [{ fails: 'after-work' }, {}],
  'The author’s code rejects an order.': [{ quantity: 0 }],
  'An order arrives again with another quantity, with `': changing({}, 1, 5),
  'An order arrives again with another quantity, without `': changing(unvalidated, 1, 5),
  'An order arrives twice, with `POWERTOOLS_IDEMPOTENCY_DISABLED`.': twice({ isDisabled: true }),
  'The function dies between the work and the record': [{ crash: 'after-work' }, afterTimeout],
  'The function changes its input after the work': [{ changesInput: true }, {}, afterTimeout],
  'With the Middy middleware,': changing({ isMiddleware: true }, 1, 5, 1),
  'An order comes back after two hours': [{}, { afterSeconds: 7_200 }],
  'An order arrives twice, and the answer is': twice({ work: 'answer-total' }),
  'The work is a call to another service. The function dies before': dyingCall('before-work'),
  'The work is a call to another service. The function dies after': dyingCall('after-work'),
};

const page = readPage('comparison.md');
const { dependencies } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8'));

/** Plays a row's deliveries. Returns the row with what came of them in its second and third cell. */
async function playRow(row: string): Promise<string> {
  const [what, , , why] = row.split(' | ');
  const found = Object.entries(behaviours).filter(([title]) => row.startsWith(`| ${title}`));
  const [[, deliveries] = ['', []]] = found;
  expect(found, `behaviours of ${what}`).toHaveLength(1);
  const powertools = await play(createWithPowertools, deliveries);
  const ours = await play(createWithOurs, deliveries);
  const isRejected = /UnsafeConfigurationError|ReceiptMissingError/.test(ours.cell);
  const due = isRejected ? 0 : Number(/Due: (\d+)\.$/.exec(what ?? '')?.[1]);
  if (!why?.startsWith('**worse**')) expect(ours.booked, what).toBe(due);
  return [what, powertools.cell, ours.cell, why].join(' | ');
}

test('ours books what is due or rejects the settings, and the page tells what each layer does; `npm run compare -- --update` in the package’s folder writes it', async () => {
  // Powertools warns of what some behaviours do on purpose.
  using _ = vi.spyOn(console, 'warn').mockReturnValue();
  const rows = page.match(/^\| .* Due: .*$/gm) ?? [];
  expect(rows).toHaveLength(Object.keys(behaviours).length);

  const verdicts = Map.groupBy(rows, (row) => /\| \*\*(\w+)\*\*:/.exec(row)?.[1]);
  const counts = [...verdicts].map(([verdict, { length }]) => `${length} ${verdict}`);
  let played = page
    .replace(/of version \S+,/, `of version ${dependencies['@aws-lambda-powertools/idempotency']},`)
    .replace(
      /In \d+ cases, ours is: .*\./,
      `In ${rows.length} cases, ours is: ${counts.join(', ')}.`,
    );
  for (const row of rows) {
    const replaced = await playRow(row);
    played = played.replace(row, () => replaced);
  }

  await expect(played).toMatchFileSnapshot('../../comparison.md');
});
