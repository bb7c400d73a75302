import { createServer, type RequestListener } from 'node:http';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { startEventBus } from '../../../local/stack/event-bus.ts';
import { startOriginGroup } from '../../../local/stack/origin-group.ts';
import { listen } from '../../../loopback/http-server.ts';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useQueues } from '../../helpers/queues.ts';
import { useTable } from '../../helpers/test-table.ts';

// The standby has the real redirect, on a table of its own. Its bus forwards to the home Region's.
const url = 'https://example.com/standby';
const buses = { home: 'click-tally-prod', standby: 'click-tally-standby-prod' };
const table = useTable({
  ...linkVariables,
  BUS_NAME: buses.standby,
  OWN_DOMAINS: '',
  CLICKS_VIA: 'bus',
  CLICK_QUEUES: '1',
});
const queues = useQueues('StandbyDLQ');
useOutput();

let home: RequestListener;
let isPathDown = false;
const counted: { detail: { clickId: string; code: string } }[] = [];
let front: string;

beforeAll(async () => {
  const cleanup = new AsyncDisposableStack();
  const pattern = { source: [{ prefix: 'click-tally' }], 'detail-type': ['link.clicked'] };
  const start = async (name: string, deliver: (event: string) => Promise<void>) => {
    const bus = await startEventBus();
    cleanup.defer(bus.stop);
    const rule = { EventBusName: name, EventPattern: pattern, Targets: [{ Arn: 'next' }] };
    bus.createRules([rule], (_, event) => deliver(event));
    return bus.url;
  };
  const homeBus = await start(buses.home, async (event) => void counted.push(JSON.parse(event)));
  const standbyBus = await start(buses.standby, async (event) => {
    if (isPathDown) throw new Error('the path between the Regions is down');
    await forward(homeBus, JSON.parse(event));
  });
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', standbyBus);
  const queueUrl = queues.urlOf('StandbyDLQ');
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', new URL(queueUrl).origin);
  vi.stubEnv('CLICK_QUEUE_URL', queueUrl);
  await table.put({ ...link('spring'), url });
  const servers = await Promise.all([
    listen(createServer((request, response) => home(request, response))),
    listen(createServer(await redirectInStandby())),
  ]);
  for (const { stop } of servers) cleanup.defer(stop);
  const [homeUrl, standbyUrl] = servers.map((server) => server.url);
  const group = { home: `${homeUrl}`, standby: `${standbyUrl}`, timeoutMs: 4_000 };
  const { url: frontUrl, stop } = await startOriginGroup(group);
  cleanup.defer(stop);
  front = frontUrl;
  return () => cleanup.disposeAsync();
});
beforeEach(() => {
  isPathDown = false;
  counted.length = 0;
});

/** Sends an event as EventBridge sends it to a bus in another Region. */
async function forward(bus: string, event: Record<string, unknown>) {
  const entry = {
    EventBusName: buses.home,
    Source: event.source,
    DetailType: event['detail-type'],
    Detail: JSON.stringify(event.detail),
  };
  const headers = { 'x-amz-target': 'AWSEvents.PutEvents' };
  const body = JSON.stringify({ Entries: [entry] });
  const response = await fetch(bus, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ FailedEntryCount: 0 });
}

async function redirectInStandby(): Promise<RequestListener> {
  const { handler } = await import('../../../functions/resolve-link.ts');
  return async ({ url: path = '/', method = 'GET', headers }, response) => {
    const event = makeHttpEvent(
      { pathParameters: { code: path.slice(1) }, headers: headers as Record<string, string> },
      { method },
    );
    const answer = await handler(event, makeContext());
    response.writeHead(answer.statusCode ?? 500, answer.headers as Record<string, string>);
    response.end(answer.body);
  };
}

const answer =
  (status: number, headers = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end();
  };
const visit = (method = 'GET') => fetch(`${front}/spring`, { method, redirect: 'manual' });

test.each([
  ['its function crashes', answer(500)],
  ['a proxy has no answer', answer(502)],
  ["DynamoDB can't be read, and no cache has the link", answer(503)],
  ['its function hangs', answer(504)],
  ['it breaks connections', (request) => request.socket.destroy()],
] satisfies [string, RequestListener][])(
  'if %s, the standby redirects, and the click reaches the home bus once',
  async (_, failing) => {
    home = failing;

    const response = await visit();

    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(url);
    expect(counted).toHaveLength(1);
    expect(counted[0]?.detail.code).toBe('spring');
  },
);

test.each([302, 404, 410, 429])('the home Region has the last word with %i', async (status) => {
  home = answer(status);

  expect((await visit()).status).toBe(status);
  expect(counted).toEqual([]);
});

test('HEAD fails over without a click, and other methods and the API do not', async () => {
  home = answer(503);

  expect((await visit('HEAD')).status).toBe(302);
  expect((await visit('POST')).status).toBe(503);
  expect((await fetch(`${front}/links`)).status).toBe(503);
  expect(counted).toEqual([]);
});

// The local bus delivers before it answers. On AWS, the bus accepts the click and retries for 24 hours.
test('if the path to the home bus is down, the visitor is redirected and StandbyDLQ has the click', async () => {
  home = answer(503);
  isPathDown = true;

  const response = await visit();

  expect(response.status).toBe(302);
  const [message, ...others] = queues.read('StandbyDLQ').map(({ body }) => JSON.parse(body));
  expect(others).toEqual([]);
  expect(message).toMatchObject({ source: 'click-tally', detail: { code: 'spring' } });
});

test('a link that the standby does not know is a 404, because it may be new', async () => {
  home = answer(503);

  const response = await fetch(`${front}/unknown`, { redirect: 'manual' });

  expect(response.status).toBe(404);
});
