import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { TransactionalPersistenceLayer } from 'powertools-idempotency-transactional';
import * as z from 'zod';
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { percentile } from '../tools/percentile.ts';
import { transactionMs } from './aws-latencies.ts';

interface Order {
  id: string;
  customer: string;
  note: string;
}

/** What a handler awaits before it books an order. */
type Wait = (order: Order) => Promise<unknown> | undefined;

const batch = 1_000;
const noteBytes = 1_000;
const invocationTimeoutMs = 30_000;

const description =
  'Measure how fast the layer books 1,000 orders of 1 KB for handlers that wait before they book, ' +
  'beside one that does not.';

await runProgram(
  createProgram('bench:waiting', description, 'proofs')
    .option('--rounds <number>', 'how often each handler runs', Number, 25)
    .option('--write', 'write the table of docs/costs-and-speed.md')
    .action(measureWaiting),
);

async function measureWaiting({ rounds, write }: { rounds: number; write?: boolean }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'waiting-'));
  const waits = await createWaits(folder);
  const runners = Object.entries(waits).map(([name, wait]) => createRunner(name, wait));
  for (const runner of runners) await runner.run();
  for (const runner of runners) runner.forget();
  for (let round = 0; round < rounds; round += 1) {
    // The machine's noise hits all of them.
    const start = round % runners.length;
    for (const runner of [...runners.slice(start), ...runners.slice(0, start)]) await runner.run();
  }
  await rm(folder, { recursive: true });
  const summaries = runners.map((runner) => runner.summarize());
  const table = renderTable(columnsBeside(summaries[0]), summaries);
  print(`${table}\n`);
  if (write) await writeParts('costs-and-speed.md', 'bench:waiting -- --write', { waiting: table });
}

async function createWaits(folder: string): Promise<Record<string, Wait>> {
  const file = path.join(folder, 'prices.json');
  await writeFile(file, '{}');
  const unzip = promisify(gunzip);
  const zipped = gzipSync('x'.repeat(noteBytes));
  const schema = z.object({ id: z.string().refine(async (id) => id !== '') });
  return {
    nothing: () => undefined,
    gunzip: () => unzip(zipped),
    'crypto.subtle': ({ note }) => crypto.subtle.digest('SHA-256', Buffer.from(note)),
    readFile: () => readFile(file),
    "a schema's async refinement": (order) => schema.parseAsync(order),
  };
}

type Summary = ReturnType<ReturnType<typeof createRunner>['summarize']>;

/** A handler with a layer of its own, whose client responds as late as DynamoDB. */
function createRunner(name: string, wait: Wait) {
  const meter = { requests: 0, writeUnits: 0 };
  const tookMs: number[] = [];
  const aloneMs: number[] = [];
  const bookOnce = createBooking(meter);
  let batches = 0;
  const nextOrders = (): Order[] => {
    batches += 1;
    const note = 'x'.repeat(noteBytes);
    return Array.from({ length: batch }, (_, index) => {
      return { id: `${batches}-${index}`, customer: 'ada', note };
    });
  };
  const time = async (orders: Order[], handle: (order: Order) => Promise<unknown>) => {
    const startMs = performance.now();
    await Promise.all(orders.map(handle));
    return performance.now() - startMs;
  };
  return {
    async run() {
      const orders = nextOrders();
      aloneMs.push(await time(orders, async (order) => wait(order)));
      const context = makeContext(invocationTimeoutMs);
      const booking = time(orders, async (order) => {
        // A handler that doesn't wait shouldn't wait for undefined.
        const waiting = wait(order);
        if (waiting) await waiting;
        return bookOnce(order, context);
      });
      tookMs.push(await booking);
    },
    /** Forgets the runs so far, which warmed up the process. */
    forget() {
      Object.assign(meter, { requests: 0, writeUnits: 0 });
      for (const list of [tookMs, aloneMs]) list.length = 0;
    },
    summarize() {
      const ownMs = percentile(aloneMs, 0.5);
      const records = tookMs.length * batch;
      const withoutOwnMs = tookMs.map((ms, index) => ms - (aloneMs[index] ?? 0));
      return {
        name,
        ownMs,
        p25Ms: percentile(tookMs, 0.25),
        p50Ms: percentile(tookMs, 0.5),
        p75Ms: percentile(tookMs, 0.75),
        layerMs: percentile(withoutOwnMs, 0.5),
        requestsPer100: (meter.requests * 100) / records,
        writeUnits: meter.writeUnits / records,
      };
    },
  };
}

function createBooking(meter: { requests: number; writeUnits: number }) {
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    payloadValidationJmesPath: 'note',
    expiresAfterSeconds: 86_400,
  });
  const send = async ({ input }: TransactWriteItemsCommand) => {
    await new Promise((resolve) => setTimeout(resolve, transactionMs));
    const CapacityUnits = (input.TransactItems ?? []).length * 2;
    meter.requests += 1;
    meter.writeUnits += CapacityUnits;
    return { ConsumedCapacity: [{ CapacityUnits }] };
  };
  const persistenceStore = new TransactionalPersistenceLayer<Order>({
    awsSdkV3Client: { send } as unknown as DynamoDBClient,
    tableName: 'orders',
    config,
    markerTtlSeconds: 86_400,
    effects: ({ customer }) => ({
      increments: [{ key: { id: `CUSTOMER#${customer}` }, attribute: 'orders', by: 1 }],
    }),
  });
  return makeIdempotent(
    async (order: Order, _context: object) => persistenceStore.receiptOf(order),
    { persistenceStore, keyPrefix: 'BOOKING', config },
  );
}

function columnsBeside(base: Summary | undefined): Column<Summary>[] {
  const { p50Ms: baseMs = Number.NaN, layerMs: baseLayerMs = Number.NaN } = base ?? {};
  return [
    ['the handler awaits', ({ name }) => name, 'words'],
    ['requests/100 orders', ({ requestsPer100 }) => requestsPer100.toFixed(2)],
    ['write units/order', ({ writeUnits }) => writeUnits.toFixed(2)],
    ['p50 ms', ({ p50Ms }) => p50Ms.toFixed(0)],
    ['p25 to p75', ({ p25Ms, p75Ms }) => `${p25Ms.toFixed(0)} to ${p75Ms.toFixed(0)}`],
    ['alone, ms', ({ ownMs }) => ownMs.toFixed(0)],
    ['speed ÷ nothing', ({ p50Ms }) => (baseMs / p50Ms).toFixed(2)],
    ['… without its own time', ({ layerMs }) => (baseLayerMs / layerMs).toFixed(2)],
  ];
}
