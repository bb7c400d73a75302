import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type RequestParts, useApi } from '../../helpers/api.ts';
import { forgedHeaders } from '../../helpers/http-api.ts';
import { link } from '../../helpers/items.ts';
import { useQueues } from '../../helpers/queues.ts';
import { type Answer, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

const url = 'https://example.com/landing';
const detail = {
  clickId: expect.stringMatching(/^[\w-]{22}\.0\.[\w-]{22}$/),
  code: 'abcd',
  at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  visitor: 'human',
  device: 'mobile',
  referrer: 'own',
};
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
  resources: [],
  source: 'click-tally',
  account: '000000000000',
  region: 'us-east-1',
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  detail: expect.objectContaining(detail),
};

const accept = answerJson(200, { FailedEntryCount: 0, Entries: [{ EventId: 'event-1' }] });
const reject = answerJson(500, { __type: 'InternalException', message: 'out of order' });
const acceptInPart = answerJson(200, {
  FailedEntryCount: 1,
  Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' }],
});

/** The timeouts that have begun. The last one ends when a request arrives that gets no answer. */
let timeouts: AbortController[] = [];
const hang: Answer = () => timeouts.at(-1)?.abort();
const breakOff: Answer = (response) => void response.destroy();

const variables = { BUS_NAME: 'click-bus', OWN_DOMAINS: 'shop.example' };
const { table, output, send } = useApi(['ResolveLink'], variables);
const queues = useQueues('clicks', 'clicks-2', 'clicks-3', 'clicks-4');

beforeAll(() => table.put({ ...link('abcd'), url }));
beforeEach(() => {
  timeouts = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const timeout = new AbortController();
    timeouts.push(timeout);
    return timeout.signal;
  });
  return () => void vi.restoreAllMocks();
});

type Visit = RequestParts & { method?: string };

interface Environment {
  /** What the bus answers. */
  bus?: Answer;
  /** What the queue answers; by default, it stores its messages. */
  queue?: Answer;
  clickQueues?: number;
  clicksVia?: string;
}

/** Starts the function in this environment. Returns what opens a link, and the bus and the queue. */
async function startResolver(environment: Environment = {}) {
  const { bus: answer = accept, clickQueues = 1, clicksVia = 'bus' } = environment;
  const bus = await startScriptedService(answer);
  const queue = environment.queue && (await startScriptedService(environment.queue));
  const clickQueueUrl = queue ? `${queue.url}/000000000000/clicks` : queues.urlOf('clicks');
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', bus.url);
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', new URL(clickQueueUrl).origin);
  vi.stubEnv('CLICK_QUEUE_URL', clickQueueUrl);
  vi.stubEnv('CLICK_QUEUES', `${clickQueues}`);
  vi.stubEnv('CLICKS_VIA', clicksVia);
  vi.resetModules();
  const open = (code = 'abcd', { method = 'GET', ...parts }: Visit = {}) =>
    send('a-visitor', `${method} /${code}`, { headers, ...parts });
  const listSent = () =>
    (bus.bodies as { Entries: { Detail: string }[] }[]).flatMap(({ Entries }) =>
      Entries.map(({ Detail }) => JSON.parse(Detail)),
    );
  return { open, bus, queue, listSent };
}

const readQueue = (name = 'clicks') => queues.read(name).map(({ body }) => JSON.parse(body));

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
  const { open, bus, listSent } = await startResolver();

  expect(await open()).toEqual(redirected);

  const entry = { EventBusName: 'click-bus', Source: 'click-tally', DetailType: 'link.clicked' };
  const more = { Time: expect.any(Number), Detail: expect.any(String) };
  expect(bus.bodies).toEqual([{ Entries: [{ ...entry, ...more }] }]);
  expect(listSent()).toEqual([expect.objectContaining(detail)]);
  expect(readQueue()).toEqual([]);
  expect(output.lines()).toEqual([]);
});

test('a visitor is redirected even if the click gets no id', async () => {
  vi.doMock('../../../lib/clicks/placed-id.ts', async (original) => ({
    ...(await original<object>()),
    openSheet: () => ({ id: 'sheet', seals: [] }),
  }));
  onTestFinished(() => vi.doUnmock('../../../lib/clicks/placed-id.ts'));
  const { open, listSent } = await startResolver();

  expect(await open()).toEqual(redirected);

  expect(listSent()).toEqual([]);
  expect(output.lines()).toMatchObject([
    { message: 'A click was not published.', code: 'abcd', error: { name: 'InvariantError' } },
    { ClicksUnpublished: 1 },
  ]);
});

test('the query goes along to the destination of a link that forwards it, from the cache too', async () => {
  await table.put({ ...link('forwards'), url: `${url}#top`, forwardQuery: true });
  const { open } = await startResolver();
  const location = async (code: string, rawQueryString: string) =>
    (await open(code, { rawQueryString })).headers?.location;

  expect(await location('forwards', 'a=%20+b&c')).toBe(`${url}?a=%20+b&c#top`);
  expect(await location('forwards', 'd')).toBe(`${url}?d#top`);
  expect(await location('forwards%3Fa=b', 'd')).toBe(`${url}?a=b&d#top`);
  expect(await location('abcd', 'a=b')).toBe(url);
});

const rawQueryString = 'utm_source=News&utm_medium=Personal&utm_campaign=Spring&utm_term=no';
const campaign = { utm_source: 'news', utm_medium: 'personal', utm_campaign: 'spring' };

// SQS rejects U+FFFE and U+FFFF (the local one everything above U+FFFD), and a bus may write them as they are.
test.each(['bus', 'queue'])(
  'with clicksVia: %s, a click with any characters is published, in ASCII',
  async (clicksVia) => {
    const { open, bus, listSent } = await startResolver({ clicksVia });

    await open('abcd', {
      rawQueryString: 'utm_source=%F0%9F%8E%89%EF%BF%BF&utm_medium=%ED%A0%80%C3%A9',
    });

    const wire = [JSON.stringify(bus.bodies), ...queues.read('clicks').map(({ body }) => body)];
    expect(wire.join()).toMatch(/^[ -~]+$/);
    const sent = [...listSent(), ...readQueue().map((event) => event.detail)];
    expect(sent).toMatchObject([{ utm_source: '🎉', utm_medium: '\ufffd\ufffd\ufffdé' }]);
  },
);

test.each(['bus', 'queue'])(
  "with clicksVia: %s, a visit's campaign is published, also by the fallback, and never logged",
  async (clicksVia) => {
    const { open, listSent } = await startResolver({ bus: reject, clicksVia });
    await open('abcd', { rawQueryString });

    const sent = [...listSent(), ...readQueue().map((event) => event.detail)];
    expect(sent.length).toBeGreaterThan(0);
    for (const each of sent) {
      expect(each).toMatchObject(campaign);
      expect(each).not.toHaveProperty('utm_term');
    }
    const none = await startResolver({ bus: reject, queue: reject, clicksVia });
    await none.open('abcd', { rawQueryString });
    const lines = output.lines();
    expect(lines.map(({ level }) => level)).toContain('ERROR');
    expect(JSON.stringify(lines)).not.toMatch(/utm_|news|personal|spring/i);
  },
);

test.each(['abcd&utm_source=News', 'abcd?utm_source=News', 'abcd%3Futm_source%3DNews'])(
  'a query that became a part of the path is read as one: %s',
  async (code) => {
    const { open, listSent } = await startResolver();
    const pathParameters = { code };

    const { statusCode } = await open('abcd', { pathParameters });

    expect(statusCode).toBe(302);
    expect(listSent()).toMatchObject([{ code: 'abcd', utm_source: 'news' }]);
  },
);

test.each([
  ['HEAD', 302, { method: 'HEAD' }],
  ['an image', 302, { headers: { ...headers, 'sec-fetch-dest': 'image' } }],
  ['a prefetch', 403, { headers: { ...headers, 'sec-purpose': 'prefetch;prerender' } }],
])("%s gets %i and isn't counted", async (_, statusCode, parts) => {
  const { open, bus } = await startResolver();

  const answer = await open('abcd', parts);

  expect(answer).toMatchObject({ statusCode, headers: { 'cache-control': 'no-store' } });
  expect(bus.bodies).toEqual([]);
  expect(readQueue()).toEqual([]);
});

test.each([
  ['are published if the request has the secret, without the address', 's', 302],
  ['are rejected with a forged secret, and no click is published', 'f', 403],
])("the country and the network in CloudFront's headers %s", async (_, letter, status) => {
  vi.stubEnv('ORIGIN_SECRETS', 's'.repeat(32));
  const { open, listSent } = await startResolver();
  const visit = {
    ...headers,
    'x-origin-secret': letter.repeat(32),
    'cloudfront-viewer-country': 'FR',
    'cloudfront-viewer-address': '192.0.2.7:46532',
    'cloudfront-viewer-asn': '16509',
  };

  // The contract omits the rejection behind CloudFront.
  const { statusCode } = await open('abcd', { routeKey: '$default', headers: visit });
  vi.stubEnv('ORIGIN_SECRETS', undefined);

  expect(statusCode).toBe(status);
  expect(listSent()).toMatchObject(status === 302 ? [{ country: 'FR', network: 'hosting' }] : []);
  expect(JSON.stringify(listSent())).not.toContain('192.0.2.7');
});

test.each([
  ['https://go.example.com/', 'own'],
  ['https://forged.example/', 'other'],
])('a visit from %s has the referrer %s, even with forged host headers', async (...row) => {
  const [referer, referrer] = row;
  const { open, listSent } = await startResolver();

  await open('abcd', { headers: { ...headers, ...forgedHeaders, referer } });

  expect(listSent()).toMatchObject([{ referrer }]);
});

test.each([
  ['rejects', reject],
  ['accepts the request but not the event', acceptInPart],
  ['answers with a success that names no event', answerJson(200, { FailedEntryCount: 0 })],
  ['never answers', hang],
  ['breaks the connection', breakOff],
])('when the bus %s, the queue gets the same event', async (_, bus) => {
  const { open, listSent } = await startResolver({ bus });

  expect(await open()).toEqual(redirected);

  const messages = readQueue();
  expect(messages).toEqual([busEvent]);
  // Every request to the bus carried the same click as the message in the queue.
  for (const { clickId } of listSent()) expect(clickId).toBe(messages[0].detail.clickId);
  const message = 'The bus did not accept a click; sending it to the queue.';
  expect(output.lines()).toMatchObject([
    { level: 'WARN', message, detail, busError: expect.anything() },
  ]);
});

test('a throttled bus gets a click once, and then the queue gets it', async () => {
  const throttle = answerJson(400, { __type: 'ThrottlingException' });
  const { open, listSent } = await startResolver({ bus: throttle });

  expect(await open()).toEqual(redirected);

  expect(listSent()).toHaveLength(1);
  expect(readQueue()).toEqual([busEvent]);
});

test('after a timeout of the bus, the queue gets clicks first, and the bus those that it rejects', async () => {
  const { open, listSent } = await startResolver({ bus: hang });
  await open();
  await open();

  expect(listSent()).toHaveLength(1);
  expect(readQueue()).toHaveLength(2);

  const both = await startResolver({ bus: hang, queue: reject });
  await both.open();
  await both.open();

  const ids = both.listSent().map(({ clickId }) => clickId);
  expect(new Set(ids).size).toBe(2);
});

test('an answer of the queue without a message id is not a success', async () => {
  const { open } = await startResolver({ bus: reject, queue: answerJson(200, {}) });

  expect(await open()).toEqual(redirected);

  const message = 'Neither the bus nor the queue accepted a click.';
  expect(output.lines()).toContainEqual(expect.objectContaining({ message, event: busEvent }));
});

test('a new environment has a connection to the bus before its first visitor', async () => {
  const { open, bus } = await startResolver();
  await import('../../../functions/resolve-link.ts');
  expect(bus.countConnections()).toBe(1);

  await open();

  expect(bus.countConnections()).toBe(1);
});

test('when bus and queue reject the event, the visitor is redirected and the event is logged, without more about the visitor', async () => {
  const { open, bus, queue, listSent } = await startResolver({ bus: reject, queue: reject });

  expect(await open()).toEqual(redirected);

  const lines = output.lines();
  const logged = lines.find(({ level }) => level === 'ERROR');
  const message = 'Neither the bus nor the queue accepted a click.';
  expect(logged).toMatchObject({ message, event: busEvent, queueError: expect.anything() });
  const whole = { ...logged.event.detail, visitorMark: expect.any(Number) };
  for (const sent of listSent()) expect(sent).toEqual(whole);
  expect(lines).toContainEqual(expect.objectContaining({ ClicksUnpublished: 1, stage: 'test' }));
  const left = JSON.stringify([bus.bodies, queue?.bodies, lines]);
  expect(left).not.toMatch(/192\.0\.2\.7|Mozilla|iPhone|shop\.example|secret/);
});

const viaQueue = { clickQueues: 4, clicksVia: 'queue' };

test('with clicksVia: queue, a click goes to its own queue as the event that its rule would deliver, and not to the bus', async () => {
  const codes = [...'abcdefgh'].map((letter) => `abc${letter}`);
  await table.put(...codes.map((code) => ({ ...link(code), url })));
  const { open, bus } = await startResolver(viaQueue);

  for (const code of codes) expect(await open(code)).toEqual(redirected);

  const events = ['', '-2', '-3', '-4'].map((suffix) => readQueue(`clicks${suffix}`));
  expect(events.flat()).toHaveLength(codes.length);
  expect(events.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
  for (const [index, some] of events.entries()) {
    const source = index === 0 ? 'click-tally' : `click-tally.${index + 1}`;
    const detail = expect.objectContaining({ visitor: 'human' });
    for (const event of some) expect(event).toEqual({ ...busEvent, source, detail });
  }
  expect(bus.bodies).toEqual([]);
  expect(output.lines()).toEqual([]);
});

test.each([
  ['never answers', hang],
  ['answers with a success that names no message', answerJson(200, {})],
])(
  'with clicksVia: queue, when the queue %s, the bus gets the same click for that queue',
  async (_, answer) => {
    const { open, bus, queue, listSent } = await startResolver({ queue: answer, ...viaQueue });

    expect(await open()).toEqual(redirected);

    const bodies = (queue?.bodies ?? []) as { MessageBody: string }[];
    const [event, ...repeats] = bodies.map(({ MessageBody }) => JSON.parse(MessageBody));
    for (const repeat of repeats) expect(repeat).toEqual(event);
    expect(bus.bodies).toMatchObject([{ Entries: [{ Source: event.source }] }]);
    expect(listSent()).toEqual([event.detail]);
  },
);
