import { expect, onTestFinished, test } from 'vitest';
import { type HttpRequest, startHttpServer } from '../../../cli/loopback/http-server.ts';
import { createConnectionsApi } from '../../../lib/live/connections-api.ts';
import { stubAwsEnvironment } from '../../helpers/aws-environment.ts';

const pong = { type: 'pong' } as const;

/** A WebSocket API that answers each request with this status. */
async function startApi(status: number) {
  stubAwsEnvironment({});
  const requests: HttpRequest[] = [];
  const { url, stop } = await startHttpServer(async (request) => {
    requests.push(request);
    return { status, body: {} };
  });
  onTestFinished(stop);
  return { api: createConnectionsApi(`${url}/prod`), requests };
}

test('a message is sent to its connection', async () => {
  const { api, requests } = await startApi(200);

  expect(await api.send('c1', pong)).toBe('sent');
  expect(requests).toMatchObject([{ path: '/prod/@connections/c1', body: JSON.stringify(pong) }]);
});

test("sending to a closed connection reports it gone, and closing it again isn't an error", async () => {
  const { api } = await startApi(410);

  expect(await api.send('c1', pong)).toBe('gone');
  await expect(api.close('c1')).resolves.toBeUndefined();
});

test("API Gateway's refusal is an error", async () => {
  const { api } = await startApi(403);

  await expect(api.send('c1', pong)).rejects.toThrow();
  await expect(api.close('c1')).rejects.toThrow();
});

test('an aborted message is not sent', async () => {
  const { api, requests } = await startApi(200);

  await expect(api.send('c1', pong, AbortSignal.abort())).rejects.toThrow();
  expect(requests).toEqual([]);
});
