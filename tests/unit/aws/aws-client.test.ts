import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Hash } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../../cli/loopback/http-server.ts';
import { AwsClient } from '../../../lib/aws/aws-client.ts';
import { stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { handleInTime } from '../../helpers/unhurried.ts';

afterEach(() => {
  vi.unstubAllEnvs();
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
const refuse = (status: number, error: object, headers = {}) =>
  answerWith(status, JSON.stringify(error), headers);
const item = answerWith(200, '{"Item":{"url":{"S":"ü"}}}', { 'x-amzn-requestid': 'r1' });
const found = { Item: { url: { S: 'ü' } }, $metadata: { httpStatusCode: 200, requestId: 'r1' } };

const breakOff: Answer = (response) => void response.destroy();
const stopHalfway: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"Item":', () => response.destroy());
};
const hang: Answer = () => undefined;

test('a request has its operation and its length in bytes', async () => {
  const { received, send } = await start();

  expect(await send()).toMatchObject(found);
  expect(received).toMatchObject([
    {
      headers: {
        'x-amz-target': 'DynamoDB_20120810.GetItem',
        'content-type': 'application/x-amz-json-1.0',
        'content-length': '12',
      },
      body: '{"Key":"ü"}',
    },
  ]);
});

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
    ...{ service: 'dynamodb', region: 'us-east-1', applyChecksum: false },
    ...{ credentials: await defaultProvider()(), sha256: Hash.bind(null, 'sha256') },
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
  ['half an answer', stopHalfway],
  ['a status of 500', refuse(500, { __type: 'InternalServerError' })],
  ["a proxy's page", answerWith(502, '<html>')],
  ['throttling', refuse(400, throttled)],
  ['throttling, named in a header', refuse(400, {}, { 'x-amzn-errortype': 'Throttling:http:' })],
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
  expect([received.length, closed.received.length]).toEqual([2, 2]);
});

test.each([
  ['the service', refuse(400, { __type: 'a.b#ValidationException', Message: 'bad' }), 'bad'],
  ['IAM', refuse(400, { __type: 'a#ValidationException:http', message: 'no' }), 'no'],
])("an error of %s is thrown with its name and isn't repeated", async (_, answer, message) => {
  const { received, send } = await start(answer);

  const error = { name: 'ValidationException', message, $metadata: { httpStatusCode: 400 } };
  await expect(send()).rejects.toMatchObject(error);
  expect(received).toHaveLength(1);
});

test('the last of four errors is thrown', async () => {
  const { received, send } = await start(...Array(9).fill(breakOff));

  await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(received).toHaveLength(4);
});

test('an answer that is not JSON is an error', async () => {
  const { received, send } = await start(answerWith(200, '<html>'));

  await expect(send()).rejects.toThrow('JSON');
  expect(received).toHaveLength(1);
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

test.each([
  ['before an answer', hang],
  ['within an answer', stall],
])('an aborted request ends %s, without another attempt', async (_, answer) => {
  const controller = new AbortController();
  const { received, send } = await start((response, request) => {
    answer(response, request);
    setTimeout(() => controller.abort());
  });

  await expect(send(controller.signal)).rejects.toThrow();
  expect(received).toHaveLength(1);
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

test("Lambda's trace is passed on; a traced client's own wins, and neither is signed", async () => {
  const { client, received, send } = await start();
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1');
  await send();
  const seen: object[] = [];
  client.middlewareStack.add(
    (next, { clientName, commandName }) =>
      async (args) => {
        const { headers } = args.request as { headers: Record<string, string> };
        headers['X-Amzn-Trace-Id'] = 'Root=2';
        const { output } = await next(args);
        seen.push({ clientName, commandName, region: await client.config.region(), output });
        return { output, response: undefined };
      },
    { step: 'build' },
  );
  await send();

  expect(received.map(({ headers }) => headers['x-amzn-trace-id'])).toEqual(['Root=1', 'Root=2']);
  for (const { headers } of received) expect(headers.authorization).not.toContain('trace');
  const names = { clientName: 'DynamoDBClient', commandName: 'GetItemCommand' };
  const $metadata = { attempts: 1, httpStatusCode: 200 };
  expect(seen).toMatchObject([{ ...names, region: 'us-east-1', output: { $metadata } }]);
});
