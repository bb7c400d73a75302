import { SQSClient } from '@aws-sdk/client-sqs';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { sendMessages } from '../../../cli/queue.ts';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { readPackagedService } from '../../../fixtures/packaged-service.ts';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { urlCacheSeconds } from '../../../lib/redirect/url-cache.ts';
import { readTemplate } from '../../../local/engines/template.ts';
import { startEventBus } from '../../../local/stack/event-bus.ts';
import { localClientConfig } from '../../../loopback/local-aws.ts';
import { linkVariables, stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { expectDocumented, renderOutcomes } from '../../helpers/documented-table.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../../helpers/faulty-proxy.ts';
import { call } from '../../helpers/http-api.ts';
import { link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useQueues } from '../../helpers/queues.ts';
import { useTable } from '../../helpers/test-table.ts';
import { startVisitorClock } from '../../helpers/visitor-clock.ts';

// Credentials come from variables, as in the deployed bundle.
vi.mock(
  '@aws-sdk/credential-provider-node',
  () => import('../../../lib/bundle/lambda-credentials.ts'),
);
vi.mock('node:timers/promises', async () => ({
  setTimeout: (await import('../../helpers/visitor-clock.ts')).pause,
}));
vi.mock('../../../lib/aws/http-post.ts', async (importOriginal) => {
  const { createPost } = await importOriginal<typeof import('../../../lib/aws/http-post.ts')>();
  const { trackRequests } = await import('../../helpers/visitor-clock.ts');
  return {
    createPost: (...args: Parameters<typeof createPost>) => trackRequests(createPost(...args)),
  };
});

const table = useTable({}, ['ResolveLink', 'AggregateClicks']);
const queues = useQueues('clicks');
const output = useOutput();
const proxies = {} as Record<'DynamoDB' | 'the bus' | 'the queue', FaultyProxy>;
const variables = { BUS_NAME: 'click-bus', OWN_DOMAINS: '', CLICK_QUEUES: '1', CLICKS_VIA: 'bus' };

beforeAll(async () => {
  const bus = await startEventBus();
  const url = queues.urlOf('clicks');
  const sqs = new SQSClient(localClientConfig(new URL(url).origin));
  const EventPattern = { source: ['click-tally'], 'detail-type': ['link.clicked'] };
  const rule = { EventBusName: 'click-bus', EventPattern, Targets: [{ Arn: 'clicks' }] };
  bus.createRules([rule], (_, event) => sendMessages({ sqs, url }, [event]));
  proxies.DynamoDB = await startFaultyProxy(`${process.env.AWS_ENDPOINT_URL_DYNAMODB}`);
  proxies['the bus'] = await startFaultyProxy(bus.url);
  proxies['the queue'] = await startFaultyProxy(new URL(url).origin);
  stubAwsEnvironment({
    ...linkVariables,
    ...variables,
    AWS_ENDPOINT_URL_DYNAMODB: proxies.DynamoDB.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: proxies['the bus'].url,
    AWS_ENDPOINT_URL_SQS: proxies['the queue'].url,
    CLICK_QUEUE_URL: `${proxies['the queue'].url}/000000000000/clicks`,
    ...readPackagedService(await readTemplate(inject('packageDir'))).environment,
  });
  return async () => {
    sqs.destroy();
    for (const { stop } of [bus, ...Object.values(proxies)]) await stop();
  };
});
interface Visit {
  statusCode: number | undefined;
  waitedMs: number;
}

async function visit(code: string): Promise<Visit> {
  const { handler } = await import('../../../functions/resolve-link.ts');
  const fromMs = Date.now();
  const { statusCode } = await call(handler, { routeKey: 'GET /{code}', pathParameters: { code } });
  return { statusCode, waitedMs: Date.now() - fromMs };
}

async function count(bodies: string[]): Promise<void> {
  const { createHandler } = await import('../../../functions/aggregate-clicks.ts');
  const counted = await createHandler(createCommitClient())(makeBatch(bodies), makeContext());
  expect(counted).toEqual({ batchItemFailures: [] });
}

async function readClicks(code: string): Promise<number> {
  return (await table.get(`LINK#${code}`, 'META'))?.clicks;
}

function setFault(names: readonly (keyof typeof proxies)[], fault?: Fault): void {
  for (const name of names) proxies[name].fault = fault;
}

/** A failure that a visitor may meet. It returns what ends it. */
interface Failure {
  dependency: string;
  how: string;
  begin: () => () => void;
}

const all = ['DynamoDB', 'the bus', 'the queue'] as const;
const faults = [
  ...(['rejects', 'throttles', 'hangs', 'is slow (300 ms)', 'acts, but answers too late'] as const),
  ...(['answers nonsense', 'answers {}'] as const),
];
const services = [
  ['DynamoDB', ['DynamoDB']],
  ['the bus', ['the bus']],
  ['the queue', ['the queue']],
  ['the bus and the queue', ['the bus', 'the queue']],
  ['all three', all],
] as const;
const failures: Failure[] = services.flatMap(([dependency, names]) =>
  faults.map((fault) => ({
    dependency,
    how: fault,
    begin: () => {
      setFault(names, fault);
      return () => setFault(names);
    },
  })),
);

/** stdout can't be written, or nobody reads it. */
function breakLog(write: () => boolean) {
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(write);
  return () => spy.mockRestore();
}

failures.push(
  {
    dependency: 'credentials',
    how: 'are missing',
    begin: () => {
      vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
      return () => vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    },
  },
  {
    dependency: 'credentials',
    how: 'have expired',
    begin: () => {
      setFault(all, 'denies access');
      return () => setFault(all);
    },
  },
  {
    dependency: 'the log',
    how: 'rejects',
    begin: () =>
      breakLog(() => {
        throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      }),
  },
  { dependency: 'the log', how: 'is full', begin: () => breakLog(() => false) },
  {
    dependency: "X-Ray's daemon",
    how: 'is gone',
    // Tracing begins as the function is loaded.
    begin: () => {
      vi.stubEnv('AWS_EXECUTION_ENV', 'AWS_Lambda_nodejs24.x');
      vi.stubEnv('LAMBDA_TASK_ROOT', '/var/task');
      vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-6a0c1f0b-1d2e3f4a5b6c7d8e9f0a1b2c;Sampled=1');
      vi.stubEnv('AWS_XRAY_DAEMON_ADDRESS', '127.0.0.1:1');
      vi.resetModules();
      return () => vi.stubEnv('AWS_EXECUTION_ENV', undefined);
    },
  },
);

interface Outcome extends Omit<Failure, 'begin'> {
  known: Visit[];
  other: Visit;
  places: string[];
  alarms: string[];
}

const outcomes: Outcome[] = [];
const minuteMs = 60_000;

test.each(failures)(
  'if $dependency $how, a known link redirects within a second, and each redirect counts once',
  async ({ dependency, how, begin }) => {
    const knownCode = `known-${outcomes.length}`;
    const otherCode = `other-${outcomes.length}`;
    await table.put(link(knownCode), link(otherCode));
    // The earlier failures were tried again by then.
    const clock = await startVisitorClock(Date.now() + outcomes.length * minuteMs);
    onTestFinished(clock.stop);
    await visit(knownCode);
    // Then it's read again.
    await clock.passSeconds(urlCacheSeconds + 1);

    const end = begin();
    const known = [await visit(knownCode), await visit(knownCode)];
    const other = await visit(otherCode);
    end();
    clock.stop();

    const [, ...messages] = queues.read('clicks').map(({ body }) => body);
    const lines = output.lines();
    const logged = lines.flatMap(({ level, event }) => (level === 'ERROR' && event) || []);
    await count([...messages, ...logged.map((event) => JSON.stringify(event))]);
    const places = [...messages.map(placeOf), ...logged.map(() => 'the log')];
    const alarms = listAlarms([...known, other], lines);
    outcomes.push({ dependency, how, known, other, places, alarms });

    for (const { statusCode, waitedMs } of known) {
      expect(statusCode).toBe(302);
      expect(waitedMs).toBeLessThanOrEqual(1_000);
    }
    expect(await readClicks(knownCode)).toBe(known.length);
    expect(await readClicks(otherCode)).toBe(other.statusCode === 302 ? 1 : 0);
  },
);

test('while nothing answers, the first visitor of a new environment waits a second for the page', async () => {
  setFault(all, 'hangs');
  onTestFinished(() => setFault(all));
  vi.resetModules();
  const fromMs = Date.now();
  const clock = await startVisitorClock(fromMs);
  onTestFinished(clock.stop);

  const { statusCode } = await visit('any');

  expect(statusCode).toBe(503);
  expect(Date.now() - fromMs).toBeLessThanOrEqual(1_000);
});

/** An event that bypassed the bus has its click's id. */
function placeOf(message: string): string {
  const { id, detail } = JSON.parse(message);
  return id === detail.clickId ? 'the queue, directly' : 'the queue';
}

function listAlarms(visits: Visit[], lines: { ClicksUnpublished?: number }[]): string[] {
  return [
    ...(visits.some(({ statusCode = 500 }) => statusCode >= 500) ? ['API errors'] : []),
    ...(lines.some(({ ClicksUnpublished }) => ClicksUnpublished) ? ['Clicks unpublished'] : []),
  ];
}

test('the table in docs/failures.md is what happened', async () => {
  const header = [
    ...['what fails', 'how', 'a link in the cache', 'then another one'],
    ...['their clicks are in', 'alarms'],
  ];
  const alike = Map.groupBy(outcomes, ({ dependency, known, other, places, alarms }) => {
    const statuses = [...known, other].map(({ statusCode }) => statusCode);
    return JSON.stringify([dependency, statuses, [...new Set(places)].sort(), alarms]);
  });
  const rows = [...alike.values()].flatMap((group) =>
    group.map(({ dependency, how }) => ({ what: dependency, how, cells: describeGroup(group) })),
  );
  await expectDocumented('visitors', renderOutcomes(header, rows));
});

/** The cells of failures that differ only in how long visitors wait. */
function describeGroup(group: Outcome[]): string[] {
  const longest = (pick: (outcome: Outcome) => Visit | undefined): string => {
    const visits = group.flatMap((outcome) => pick(outcome) ?? []);
    const waitedMs = Math.max(...visits.map((visit) => visit.waitedMs));
    return describeVisit({ statusCode: visits[0]?.statusCode, waitedMs });
  };
  const first = longest(({ known }) => known[0]);
  const next = longest(({ known }) => known[1]);
  const places = group.flatMap((outcome) => outcome.places);
  return [
    first === next ? first : `${first}, then ${next}`,
    longest(({ other }) => other),
    [...new Set(places)].sort().join('; '),
    group[0]?.alarms.join(', ') ?? '',
  ];
}

function describeVisit({ statusCode, waitedMs }: Visit): string {
  return waitedMs === 0 ? `${statusCode}` : `${statusCode} after ${waitedMs} ms`;
}
