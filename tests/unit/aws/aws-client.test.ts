import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Hash } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { AwsClient } from '../../../lib/aws/aws-client.ts';
import { listen } from '../../../loopback/http-server.ts';
import { stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { handleInTime } from '../../helpers/unhurried.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

/** Starts a client, and its service that gives each answer once and then an item. */
async function start(...answers: Answer[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    (answers.shift() ?? item)(response, request);
  });
  const { url, stop } = await listen(server);
  onTestFinished(stop);
  stubAwsEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: url });
  const client = new AwsClient('DynamoDB');
  const send = (signal?: AbortSignal) => client.send('GetItem', { Key: 'ü' }, signal);
  return { client, received, send };
}

const answerWith =
  (status: number, body: string, headers = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const reject = (status: number, error: object, headers = {}) =>
  answerWith(status, JSON.stringify(error), headers);
const item = answerWith(200, '{"Item":{"url":{"S":"ü"}}}', { 'x-amzn-requestid': 'r1' });
const found = { Item: { url: { S: 'ü' } }, $metadata: { httpStatusCode: 200, requestId: 'r1' } };

const breakOff: Answer = (response) => void response.destroy();
const hang: Answer = () => undefined;

test.each([
  ['without', undefined],
  ['with', 'token-1'],
])("a request's signature is the SDK's, %s a session token", async (_, sessionToken) => {
  const { received, send } = await start();
  vi.stubEnv('AWS_SESSION_TOKEN', sessionToken);
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1');
  await send();
  const [request] = received;
  const {
    connection,
    authorization,
    'x-amzn-trace-id': trace,
    ...headers
  } = request?.headers ?? {};

  const signer = new SignatureV4({
    service: 'dynamodb',
    region: 'us-east-1',
    applyChecksum: false,
    credentials: await defaultProvider()(),
    sha256: Hash.bind(null, 'sha256'),
  });
  const target = { method: 'POST', protocol: 'http:', hostname: '', path: '/' };
  const signedAt = headers['x-amz-date'] as string;
  const expected = await signer.sign(
    { ...target, headers: headers as Record<string, string>, body: request?.body },
    { signingDate: new Date(signedAt.replace(/(....)(..)(..T..)(..)/, '$1-$2-$3:$4:')) },
  );
  expect({ ...headers, authorization }).toEqual(expected.headers);
});

const throttled = { __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException' };

test.each([
  ['a closed connection', breakOff],
  ['a status of 500', reject(500, { __type: 'InternalServerError' })],
  ['throttling', reject(400, throttled)],
  ['throttling, named in a header', reject(400, {}, { 'x-amzn-errortype': 'Throttling:http:' })],
])('after %s, the request is repeated', async (_, answer) => {
  const { received, send } = await start(answer, answer);

  expect(await send()).toMatchObject({ ...found, $metadata: { attempts: 3 } });
  const bodies = received.map(({ body }) => body);
  expect(bodies).toEqual(Array(3).fill('{"Key":"ü"}'));
});

test("a connection that was closed while it was idle isn't an error", async () => {
  const { received, send } = await start();
  await send();
  await send();
  // The service closes it after its answer, unseen, as while Lambda freezes the function.
  const closed = await start((response, { socket }) => {
    item(response, response.req);
    response.on('finish', () => socket.destroy());
  });
  await closed.send();

  expect(await closed.send()).toMatchObject(found);
  expect(received.length).toBe(2);
  expect(closed.received.length).toBe(2);
});

test("an error of the service is thrown with its name and isn't repeated", async () => {
  const { received, send } = await start(reject(400, { __type: 'a.b#Invalid', Message: 'bad' }));

  const error = { name: 'Invalid', message: 'bad', $metadata: { httpStatusCode: 400 } };
  await expect(send()).rejects.toMatchObject(error);
  expect(received).toHaveLength(1);
});

test('the last of four errors is thrown', async () => {
  const { received, send } = await start(...Array(9).fill(breakOff));

  await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(received).toHaveLength(4);
});

const stall: Answer = (response) => void response.writeHead(200).write('{');

test.each([
  ['begins', hang],
  ['is complete', stall],
])('a service that stalls before its answer %s gets the request again', async (_, answer) => {
  vi.spyOn(NodeHttpHandler.prototype, 'handle').mockImplementation(handleInTime);
  const { received, send } = await start(answer);

  expect(await send()).toMatchObject({ ...found, $metadata: { attempts: 2 } });
  expect(received).toHaveLength(2);
});

test('an aborted request ends without another attempt', async () => {
  const controller = new AbortController();
  const { received, send } = await start(() => {
    setTimeout(() => controller.abort());
  });

  await expect(send(controller.signal)).rejects.toThrow();
  expect(received).toHaveLength(1);
});

test("a caller who stops waiting between two attempts gets the first one's error", async () => {
  const controller = new AbortController();
  const { received, send } = await start(reject(400, { __type: 'ThrottlingException' }));
  vi.spyOn(Math, 'random').mockImplementation(() => {
    setImmediate(() => controller.abort());
    // A pause that outlasts the test.
    return 10_000;
  });

  await expect(send(controller.signal)).rejects.toMatchObject({ name: 'ThrottlingException' });
  expect(received).toHaveLength(1);
});

test('a clock that is an hour slow is corrected', async () => {
  const now = Date.now();
  const offMs = -3_600_000;
  const date = new Date(now).toUTCString();
  const expired = reject(403, { __type: 'InvalidSignatureException' }, { date });
  const { received, send } = await start(expired);
  vi.useFakeTimers({ toFake: ['Date'], now: now + offMs });

  await send();
  await send();

  const dates = received.map(({ headers }) => `${headers['x-amz-date']}`.slice(0, 11));
  const [wrong, right] = [now + offMs, now].map((ms) =>
    new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 11),
  );
  expect(dates).toEqual([wrong, right, right]);
});

test("Powertools' tracer captures the client while tracing is on", async () => {
  const { received } = await start();
  vi.stubEnv('AWS_EXECUTION_ENV', 'AWS_Lambda_nodejs24.x');
  vi.stubEnv('AWS_XRAY_CONTEXT_MISSING', 'IGNORE_ERROR');
  vi.resetModules();
  const traced = await import('../../../lib/aws/aws-client.ts');
  const client = new traced.AwsClient('DynamoDB');

  expect(await client.send('GetItem', {})).toMatchObject(found);
  expect(received[0]?.headers['user-agent']).toMatch(/^PT\/tracer/);
  const captured = client.middlewareStack.identify().join();
  expect(captured).toContain('XRaySDKInstrumentation');
});

test.each([
  ['rejects it', reject(400, { __type: 'MissingAuthenticationTokenException' })],
  ['breaks it off', breakOff],
])('the first request works after a connection, even if the service %s', async (_, answer) => {
  const { client, received, send } = await start(answer);

  await client.connect();

  expect(await send()).toMatchObject(found);
  expect(received.map(({ body }) => body)).toEqual(['', '{"Key":"ü"}']);
});

test('connecting ends in time and without an error if the service never answers', async () => {
  const controller = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
  const { client } = await start(() => controller.abort());

  await expect(client.connect()).resolves.toBeUndefined();
});

test.each<[string, Answer, attempts: number]>([
  ['throttling', reject(400, throttled), 1],
  ['a broken connection', breakOff, 2],
])('with a fallback, a client gives up sooner after %s', async (_, answer, attempts) => {
  const { received } = await start(...Array(9).fill(answer));

  const client = new AwsClient('DynamoDB', { hasFallback: true });
  await expect(client.send('GetItem', {})).rejects.toThrow();
  expect(received).toHaveLength(attempts);
});
