import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { sendMessages } from '../../../cli/queue.ts';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { readPackagedService } from '../../../fixtures/packaged-service.ts';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import type { createHandler } from '../../../functions/aggregate-clicks.ts';
import { readTemplate } from '../../../local/engines/template.ts';
import { startEventBus } from '../../../local/stack/event-bus.ts';
import { forwardEvents } from '../../../local/stack/forward-events.ts';
import { startOriginGroup } from '../../../local/stack/origin-group.ts';
import { listen } from '../../../loopback/http-server.ts';
import { localClientConfig } from '../../../loopback/local-aws.ts';
import { linkVariables, stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { expectDocumented, type Outcome, renderOutcomes } from '../../helpers/documented-table.ts';
import { link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useQueues } from '../../helpers/queues.ts';
import { startTable, type TestTable, useTable } from '../../helpers/test-table.ts';
import { handleInTime, timeoutInTime } from '../../helpers/unhurried.ts';

const buses = { home: 'click-tally-prod', standby: 'click-tally-standby-prod' };
/** As in infra/edge.yml. */
const originTimeoutMs = 4_000;
const wait = { timeout: 30_000, interval: 20 };

/** Responses that never come. */
const hung = new Set<ServerResponse>();

const faults = {
  'breaks connections': (_, response) => response.destroy(),
  hangs: (_, response) => void hung.add(response),
  'answers 500': (_, response) => response.writeHead(500).end(),
  'answers 503': (_, response) => response.writeHead(503).end(),
  'answers {}': (_, response) => response.end('{}'),
} satisfies Record<string, RequestListener>;
type Fault = keyof typeof faults | 'acts, but does not answer';

/** A way that requests take, which can fail. */
interface Way {
  url: string;
  fault?: Fault | undefined;
}

const table = useTable();
const standbyTable = {} as TestTable;
const queues = useQueues('clicks', 'StandbyDLQ');
const output = useOutput();
const ways = {} as Record<
  | 'the home Region'
  | "the home Region's table"
  | 'the path to the home bus'
  | "the standby's table"
  | "the standby's bus"
  | "the standby's queue",
  Way
>;
type WayName = keyof typeof ways;
const handlers: Partial<Record<'home' | 'standby', RequestListener>> = {};
const cleanup = new AsyncDisposableStack();
/** Statuses of the home Region's resolve-link. */
const homeStatuses: number[] = [];
/** The codes of clicks that the standby's bus has accepted. */
const accepted = new Set<string>();
let front: string;
let standbyUrl: string;
let aggregate: ReturnType<typeof createHandler>;
let resolvers: Record<'home' | 'standby', Record<string, string>>;

async function startWay(serve: RequestListener): Promise<Way> {
  const way: Way = { url: '' };
  const server = createServer((request, response) => {
    if (way.fault === undefined) return serve(request, response);
    if (way.fault !== 'acts, but does not answer') return faults[way.fault](request, response);
    response.end = () => response.destroy();
    serve(request, response);
  });
  const { url, stop } = await listen(server);
  cleanup.defer(stop);
  way.url = url;
  return way;
}

/** Passes requests to a local engine. */
const passTo =
  (engine: string): RequestListener =>
  async (request, response) => {
    const { method = 'POST', url = '/', headers } = request;
    const { host: _, connection: __, 'content-length': ___, ...others } = headers;
    const body = await text(request);
    const answer = await fetch(new URL(url, engine), { method, headers: others as never, body });
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(await answer.text());
  };

beforeAll(async () => {
  Object.assign(standbyTable, await startTable());
  cleanup.defer(standbyTable.stop);
  const homeBus = await startEventBus();
  const standbyBus = await startEventBus();
  for (const { stop } of [homeBus, standbyBus]) cleanup.defer(stop);
  const queueServer = new URL(queues.urlOf('clicks')).origin;
  const sqs = new SQSClient(localClientConfig(queueServer));
  cleanup.defer(() => sqs.destroy());
  const EventPattern = { source: ['click-tally'], 'detail-type': ['link.clicked'] };
  const toQueue = { EventBusName: buses.home, EventPattern, Targets: [{ Arn: 'clicks' }] };
  homeBus.createRules([toQueue], (_, event) =>
    sendMessages({ sqs, url: queues.urlOf('clicks') }, [event]),
  );
  ways['the path to the home bus'] = await startWay(passTo(homeBus.url));
  const forward = forwardEvents(ways['the path to the home bus'].url, cleanup);
  const toHome = { EventBusName: buses.standby, EventPattern, Targets: [{ Arn: buses.home }] };
  standbyBus.createRules([toHome], async (busArn, event) => {
    accepted.add(JSON.parse(event).detail.code);
    forward(busArn, event);
  });
  ways["the standby's bus"] = await startWay(passTo(standbyBus.url));
  ways["the standby's queue"] = await startWay(passTo(queueServer));
  ways["the standby's table"] = await startWay(passTo(standbyTable.endpoint));
  ways["the home Region's table"] = await startWay(passTo(table.endpoint));
  ways['the home Region'] = await startWay((...args) => handlers.home?.(...args));
  const standby = await startWay((...args) => handlers.standby?.(...args));
  const { url: home } = ways['the home Region'];
  const group = { home, standby: standby.url, timeoutMs: originTimeoutMs };
  const { url, stop } = await startOriginGroup(group);
  cleanup.defer(stop);
  front = url;
  standbyUrl = standby.url;
  stubAwsEnvironment(readPackagedService(await readTemplate(inject('packageDir'))).environment);
  const { createHandler } = await import('../../../functions/aggregate-clicks.ts');
  aggregate = createHandler(createCommitClient());
  resolvers = {
    home: {
      TABLE_NAME: table.tableName,
      BUS_NAME: buses.home,
      CLICK_QUEUE_URL: queues.urlOf('clicks'),
      AWS_ENDPOINT_URL_DYNAMODB: ways["the home Region's table"].url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: homeBus.url,
      AWS_ENDPOINT_URL_SQS: queueServer,
    },
    standby: {
      TABLE_NAME: standbyTable.tableName,
      BUS_NAME: buses.standby,
      CLICK_QUEUE_URL: `${ways["the standby's queue"].url}${new URL(queues.urlOf('StandbyDLQ')).pathname}`,
      AWS_ENDPOINT_URL_DYNAMODB: ways["the standby's table"].url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: ways["the standby's bus"].url,
      AWS_ENDPOINT_URL_SQS: ways["the standby's queue"].url,
    },
  };
  return () => cleanup.disposeAsync();
});

/** Starts a new environment of resolve-link with these variables. */
async function startResolver(variables: Record<string, string>): Promise<RequestListener> {
  stubAwsEnvironment({
    ...linkVariables,
    OWN_DOMAINS: '',
    CLICK_QUEUES: '1',
    CLICKS_VIA: 'bus',
    ...variables,
  });
  const { handler } = await import('../../../functions/resolve-link.ts');
  return async ({ url: path = '/', method = 'GET' }, response) => {
    const event = makeHttpEvent({ pathParameters: { code: path.slice(1) } }, { method });
    const answer = await handler(event, makeContext());
    if (variables.BUS_NAME === buses.home) homeStatuses.push(answer.statusCode ?? 500);
    response.writeHead(answer.statusCode ?? 500, answer.headers as Record<string, string>);
    response.end(answer.body);
  };
}

const visit = async (code: string, { origin = front, method = 'GET' } = {}) =>
  (await fetch(`${origin}/${code}`, { method, redirect: 'manual' })).status;

interface Click {
  detail: { code: string };
}

const listClicks = (name: 'clicks' | 'StandbyDLQ'): Click[] =>
  queues.read(name).map(({ body }) => JSON.parse(body));
const listLogged = (): Click[] =>
  output.lines().flatMap(({ level, event }) => (level === 'ERROR' && event) || []);

/** Where a link's click is. */
function findPlaces(code: string): string[] {
  const has = (clicks: Click[]) => clicks.some(({ detail }) => detail.code === code);
  const isForwarded = has(listClicks('clicks'));
  return [
    ...(isForwarded ? ["home's queue"] : []),
    ...(accepted.has(code) && !isForwarded ? ["the standby's bus"] : []),
    ...(has(listClicks('StandbyDLQ')) ? ['StandbyDLQ'] : []),
    ...(has(listLogged()) ? ['the log'] : []),
  ];
}

interface Failure {
  what: string;
  how: Fault;
  names: WayName[];
  /** Whether the home Region breaks connections at the same time. */
  isHomeGone: boolean;
}

const all: Fault[] = ['breaks connections', 'hangs', 'answers 500', 'answers {}'];
const list = (what: string, names: WayName[], hows: Fault[], isHomeGone = true): Failure[] =>
  hows.map((how) => ({ what, how, names, isHomeGone }));
const failures = [
  ...list('the home Region', ['the home Region'], ['breaks connections', 'hangs'], false),
  ...list('the home Region', ['the home Region'], ['answers 500', 'answers 503'], false),
  ...list("the home Region's table", ["the home Region's table"], all, false),
  ...list(
    'the home Region, and the path to its bus',
    ['the path to the home bus'],
    ['breaks connections', 'hangs', 'answers 500', 'acts, but does not answer'],
  ),
  ...list("the home Region, and the standby's table", ["the standby's table"], all),
  ...list("the home Region, and the standby's bus", ["the standby's bus"], all),
  ...list("the home Region, and the standby's queue", ["the standby's queue"], all),
  ...list(
    "the home Region, and the standby's bus and queue",
    ["the standby's bus", "the standby's queue"],
    all,
  ),
];

function begin({ names, how, isHomeGone }: Failure): () => void {
  if (isHomeGone) ways['the home Region'].fault = 'breaks connections';
  for (const name of names) ways[name].fault = how;
  return () => {
    for (const way of Object.values(ways)) way.fault = undefined;
    for (const response of hung) response.destroy();
    hung.clear();
  };
}

/** Timeouts are three times as long as on AWS instead of twenty times, so that CloudFront's comes after them. */
function loseSomePatience(): void {
  const spies = [
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeoutInTime(3 * ms)),
    vi.spyOn(NodeHttpHandler.prototype, 'handle').mockImplementation(function handle(
      this: NodeHttpHandler,
      request,
      options,
    ) {
      return handleInTime.call(this, request, { ...options, requestTimeout: 1_200 });
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
}

const outcomes: Outcome[] = [];

const listAllClicks = () => [...listClicks('clicks'), ...listClicks('StandbyDLQ'), ...listLogged()];

async function countAll(): Promise<void> {
  const batch = makeBatch(listAllClicks().map((event) => JSON.stringify(event)));
  expect(await aggregate(batch, makeContext())).toEqual({ batchItemFailures: [] });
}

const countCopies = (code: string) =>
  listAllClicks().filter(({ detail }) => detail.code === code).length;
const readClicks = async (code: string): Promise<number> =>
  (await table.get(`LINK#${code}`, 'META'))?.clicks;

test.each(failures)('if $what $how, each redirect counts once', async (failure) => {
  const { what, how, names } = failure;
  const known = `known-${outcomes.length}`;
  const other = `other-${outcomes.length}`;
  for (const region of [table, standbyTable]) await region.put(link(known), link(other));
  handlers.home = await startResolver(resolvers.home);
  handlers.standby = await startResolver(resolvers.standby);
  homeStatuses.length = 0;
  // Then the standby knows this link, without a click.
  expect(await visit(known, { origin: standbyUrl, method: 'HEAD' })).toBe(302);

  if (how === 'hangs') loseSomePatience();
  const end = begin(failure);
  onTestFinished(end);
  const statuses = { [known]: await visit(known), [other]: await visit(other) };
  const redirected = Object.keys(statuses).filter((code) => statuses[code] === 302);
  const copies = how === 'acts, but does not answer' ? 2 : 1;
  const waits = names.includes('the path to the home bus') && copies === 1;
  const places = () => redirected.map(findPlaces);
  await expect
    .poll(
      () =>
        places().every(
          (found) => found.length > 0 && (waits || !found.includes("the standby's bus")),
        ),
      wait,
    )
    .toBe(true);
  const found = [...new Set(places().flat())].sort();
  const alarms = [
    ...(homeStatuses.some((status) => status >= 500) ? ['API errors'] : []),
    ...(found.includes('StandbyDLQ') ? ['Standby clicks waiting'] : []),
    ...(found.includes('the log') ? ['Clicks unpublished'] : []),
  ];
  end();
  const cells = [statuses[known], statuses[other], found.join('; '), alarms.join(', ')];
  outcomes.push({ what, how, cells: cells.map(String) });

  for (const code of redirected) {
    await expect.poll(() => countCopies(code), wait).toBeGreaterThanOrEqual(copies);
    await countAll();
    expect(await readClicks(code)).toBe(1);
  }
});

test('the table in docs/failures.md is what happened', async () => {
  const header = [
    ...['what fails', 'how', "a link in the standby's cache", 'another one'],
    ...['their clicks are in', 'alarms'],
  ];
  await expectDocumented('standby', renderOutcomes(header, outcomes));
});
