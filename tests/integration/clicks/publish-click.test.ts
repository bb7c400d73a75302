import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { call, forgedHeaders } from '../../helpers/http-api.ts';
import { link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { useTable } from '../../helpers/test-table.ts';
import { timeoutInTime } from '../../helpers/unhurried.ts';

const url = 'https://example.com/landing';
const firstId = /^[\w-]{22}\.0\.[\w-]{22}$/;
const detail = expect.objectContaining({
  clickId: expect.stringMatching(firstId),
  code: 'abcd',
  at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  visitor: 'human',
  device: 'mobile',
  referrer: 'own',
});
const headers = {
  host: 'go.example.com',
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148',
  referer: 'https://www.shop.example/cart?user=secret',
  'x-forwarded-for': '192.0.2.7',
};
const busEvent = {
  version: '0',
  id: expect.any(String),
  'detail-type': 'link.clicked',
  source: 'click-tally',
  account: '000000000000',
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  region: 'us-east-1',
  resources: [],
  detail,
};

const accept = answerJson(200, { FailedEntryCount: 0, Entries: [{ EventId: 'event-1' }] });
const refuse = answerJson(500, { __type: 'InternalException', message: 'out of order' });
const acceptInPart = answerJson(200, {
  FailedEntryCount: 1,
  Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' }],
});
const hang = () => undefined;
const stopHalfway = (response: ServerResponse) => response.writeHead(200).write('{"Failed');

const table = useTable({ ...linkVariables, BUS_NAME: 'click-bus', OWN_DOMAINS: 'shop.example' }, [
  'ResolveLink',
]);
const output = useOutput();
let queues: FauxqsServer;
let queueUrl: string;

beforeAll(async () => {
  queues = await startFauxqs({ port: 0, logger: false });
  for (const name of ['clicks', 'clicks-2', 'clicks-3', 'clicks-4']) queues.createQueue(name);
  queueUrl = `http://127.0.0.1:${queues.port}/000000000000/clicks`;
  await table.put({ ...link('abcd'), url });
});

afterAll(() => queues?.stop());

afterEach(() => queues.reset());

/** Starts the function in this environment. */
async function startResolver(
  eventsUrl: string,
  clickQueueUrl: string,
  clickQueues = 1,
  clicksVia = 'bus',
) {
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', eventsUrl);
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', new URL(clickQueueUrl).origin);
  vi.stubEnv('CLICK_QUEUE_URL', clickQueueUrl);
  vi.stubEnv('CLICK_QUEUES', `${clickQueues}`);
  vi.stubEnv('CLICKS_VIA', clicksVia);
  vi.resetModules();
  const { handler } = await import('../../../functions/resolve-link.ts');
  return (code: string, parts: Partial<APIGatewayProxyEventV2> = {}) => {
    const { method } = parts.requestContext?.http ?? { method: 'GET' };
    const routeKey = `${method} /{code}`;
    return call(handler, { routeKey, pathParameters: { code }, headers, ...parts });
  };
}

/** Opens a link with a newly started function. */
async function openLink(eventsUrl: string, clickQueueUrl: string, code = 'abcd') {
  const open = await startResolver(eventsUrl, clickQueueUrl);
  return open(code);
}

/** Gives the first requests, which get no answer, production's timeouts, and the others a longer one. */
function giveUpInTime(...requests: ('bus' | 'queue')[]) {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  for (const _ of requests) timeout.mockImplementationOnce(timeoutInTime);
  onTestFinished(() => timeout.mockRestore());
}

const readQueue = (name = 'clicks') =>
  queues.inspectQueue(name)?.messages.ready.map(({ body }) => JSON.parse(body));

const redirected = {
  statusCode: 302,
  headers: {
    location: url,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  },
  body: undefined,
};

test('a click publishes one event to the bus and nothing to the queue or the log', async () => {
  const bus = await startScriptedService(accept);

  expect(await openLink(bus.url, queueUrl)).toEqual(redirected);

  expect(bus.bodies).toEqual([
    {
      Entries: [
        {
          EventBusName: 'click-bus',
          Source: 'click-tally',
          DetailType: 'link.clicked',
          Time: expect.any(Number),
          Detail: expect.any(String),
        },
      ],
    },
  ]);
  expect(sentDetails(bus.bodies)).toEqual([detail]);
  expect(readQueue()).toEqual([]);
  expect(output.lines()).toEqual([]);
});

test.each([
  ['HEAD', 302, { requestContext: requestOf('HEAD') }],
  ['a preview', 302, { headers: { ...headers, 'x-purpose': 'preview' } }],
  ['an image', 302, { headers: { ...headers, 'sec-fetch-dest': 'image' } }],
  ['a prefetch', 403, { headers: { ...headers, 'sec-purpose': 'prefetch;prerender' } }],
  ['a HEAD prefetch', 403, { headers: { purpose: 'prefetch' }, requestContext: requestOf('HEAD') }],
])("%s gets %i and isn't counted", async (_, statusCode, parts) => {
  const bus = await startScriptedService(accept);
  const open = await startResolver(bus.url, queueUrl);

  const answer = await open('abcd', parts);

  expect(answer.statusCode).toBe(statusCode);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(bus.bodies).toEqual([]);
  expect(readQueue()).toEqual([]);
});

test('no address, agent or full referrer leaves the function, even if publishing fails', async () => {
  const bus = await startScriptedService(refuse);
  const queue = await startScriptedService(refuse);

  await openLink(bus.url, `${queue.url}/000000000000/clicks`);

  const left = JSON.stringify([bus.bodies, queue.bodies, output.lines()]);
  expect(left).not.toMatch(/192\.0\.2\.7|Mozilla|iPhone|shop\.example|secret/);
});

describe("the country in CloudFront's header", () => {
  const secret = 's'.repeat(32);
  const visit = {
    ...headers,
    'cloudfront-viewer-country': 'FR',
    'cloudfront-viewer-address': '192.0.2.7:46532',
  };

  afterEach(() => vi.stubEnv('ORIGIN_SECRETS', undefined));

  async function openWith(sentSecret: string) {
    vi.stubEnv('ORIGIN_SECRETS', secret);
    const bus = await startScriptedService(accept);
    const open = await startResolver(bus.url, queueUrl);
    // The contract omits the refusal behind CloudFront.
    const sent = { ...visit, 'x-origin-secret': sentSecret };
    const { statusCode } = await open('abcd', { routeKey: '$default', headers: sent });
    return { statusCode, details: sentDetails(bus.bodies) };
  }

  test('is published if the request has the secret, without the address', async () => {
    const answer = await openWith(secret);

    expect(answer).toMatchObject({ statusCode: 302, details: [{ country: 'FR' }] });
    expect(JSON.stringify(answer)).not.toContain('192.0.2.7');
  });

  test('is refused behind CloudFront with a forged secret, and no click is published', async () => {
    expect(await openWith('f'.repeat(32))).toEqual({ statusCode: 403, details: [] });
  });
});

test.each([
  ['https://go.example.com/', 'own'],
  ['https://a1.execute-api.us-east-1.amazonaws.com/', 'own'],
  ['https://forged.example/', 'other'],
])(
  'a visit from %s has the referrer %s, even with forged host headers',
  async (referer, referrer) => {
    const bus = await startScriptedService(accept);
    const open = await startResolver(bus.url, queueUrl);

    await open('abcd', { headers: { ...headers, ...forgedHeaders, referer } });

    expect(sentDetails(bus.bodies)).toMatchObject([{ referrer }]);
  },
);

test.each([
  ['refuses', refuse],
  ['accepts the request but not the event', acceptInPart],
  ['never answers', hang],
  ['stops halfway through its answer', stopHalfway],
  ['breaks the connection', (response: ServerResponse) => response.destroy()],
  ['does not answer with JSON', (response: ServerResponse) => response.end('<html>')],
])('when the bus %s, the queue gets the same event', async (_, answer) => {
  const bus = await startScriptedService(answer);
  giveUpInTime('bus');

  expect(await openLink(bus.url, queueUrl)).toEqual(redirected);

  const messages = readQueue();
  expect(messages).toEqual([busEvent]);
  // Every request to the bus carried the same click as the message in the queue.
  expect(new Set(sentDetails(bus.bodies).map(({ clickId }) => clickId))).toEqual(
    new Set([messages?.[0].detail.clickId]),
  );
  expect(output.lines()).toMatchObject([
    {
      level: 'WARN',
      message: 'The bus did not accept a click; sending it to the queue.',
      detail,
      busError: expect.anything(),
    },
  ]);
});

test.each([
  ['refuse', refuse],
  ['never answer', hang],
])(
  'when bus and queue %s, the visitor is redirected and the event is logged',
  async (_, answer) => {
    const bus = await startScriptedService(answer);
    const queue = await startScriptedService(answer);
    giveUpInTime('bus', 'queue');

    expect(await openLink(bus.url, `${queue.url}/000000000000/clicks`)).toEqual(redirected);

    const lines = output.lines();
    const logged = lines.find(({ level }) => level === 'ERROR');
    expect(logged).toMatchObject({
      message: 'Neither the bus nor the queue accepted a click.',
      event: busEvent,
      queueError: expect.anything(),
    });
    expect(sentDetails(bus.bodies)).toContainEqual(logged.event.detail);
    expect(lines).toContainEqual(
      expect.objectContaining({ ClicksUnpublished: 1, service: 'click-tally', stage: 'test' }),
    );
  },
);

describe('with clicksVia: queue', () => {
  const codes = ['abcd', 'abce', 'abcf', 'abcg', 'abch', 'abci', 'abcj', 'abck'];
  const sourceOf = (queue: number) => (queue === 1 ? 'click-tally' : `click-tally.${queue}`);

  test('a click goes to its own queue as the event that its rule would deliver, and not to the bus', async () => {
    const bus = await startScriptedService(accept);
    for (const code of codes) await table.put({ ...link(code), url });
    const open = await startResolver(bus.url, queueUrl, 4, 'queue');

    for (const code of codes) expect(await open(code)).toEqual(redirected);

    const events = [1, 2, 3, 4].map((queue) =>
      readQueue(queue === 1 ? 'clicks' : `clicks-${queue}`),
    );
    const sent = events.map((some = []) => some.length);
    expect(sent.reduce((sum, count) => sum + count)).toBe(codes.length);
    expect(sent.filter((count) => count > 0).length).toBeGreaterThan(1);
    for (const [index, some = []] of events.entries()) {
      const source = sourceOf(index + 1);
      for (const event of some) {
        const { code } = event.detail;
        const own = { code, visitor: 'human' };
        expect(event).toEqual({ ...busEvent, source, detail: expect.objectContaining(own) });
      }
    }
    expect(bus.bodies).toEqual([]);
    expect(output.lines()).toEqual([]);
  });

  test.each([
    ['refuses', refuse],
    ['never answers', hang],
  ])('when the queue %s, the bus gets the same click for that queue', async (_, answer) => {
    const bus = await startScriptedService(accept);
    const queue = await startScriptedService(answer);
    giveUpInTime('queue');
    const open = await startResolver(bus.url, `${queue.url}/000000000000/clicks`, 4, 'queue');

    expect(await open('abcd')).toEqual(redirected);

    const [event, ...others] = queue.bodies.map((body) => {
      const { MessageBody } = body as { MessageBody: string };
      return JSON.parse(MessageBody);
    });
    for (const other of others) expect(other).toEqual(event);
    expect(bus.bodies).toMatchObject([{ Entries: [{ Source: event.source }] }]);
    expect(sentDetails(bus.bodies)).toEqual([event.detail]);
    expect(output.lines()).toMatchObject([
      {
        level: 'WARN',
        message: 'The queue did not accept a click; sending it to the bus.',
        queueError: expect.anything(),
      },
    ]);
  });
});

function requestOf(method: string) {
  return makeHttpEvent({}, { method }).requestContext;
}

function sentDetails(bodies: unknown[]) {
  return (bodies as { Entries: { Detail: string }[] }[]).flatMap(({ Entries }) =>
    Entries.map(({ Detail }) => JSON.parse(Detail)),
  );
}
