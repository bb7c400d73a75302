import { expect, onTestFinished, test } from 'vitest';
import { createConnectionsApi } from '../../../lib/live/web-socket.ts';
import { type HttpRequest, startHttpServer } from '../../../loopback/http-server.ts';
import { stubAwsEnvironment } from '../../helpers/aws-environment.ts';

const pong = { type: 'pong' } as const;

test.each([
  [200, 'sent', 'closed'],
  // A connection that is already closed is not an error.
  [410, 'gone', 'closed'],
  [403, 'refused', 'refused'],
])('if API Gateway answers %i, a message is %s and a connection %s', async (...row) => {
  const [status, sent, closed] = row;
  stubAwsEnvironment({});
  const requests: HttpRequest[] = [];
  const { url, stop } = await startHttpServer(async (request) => {
    requests.push(request);
    return { status, body: {} };
  });
  onTestFinished(stop);
  const api = createConnectionsApi(`${url}/prod`);

  const close = async () => {
    await api.close('c1');
    return 'closed';
  };

  expect(await api.send('c1', pong).catch(() => 'refused')).toBe(sent);
  expect(await close().catch(() => 'refused')).toBe(closed);
  const path = '/prod/@connections/c1';
  expect(requests).toMatchObject([{ path, body: JSON.stringify(pong) }, { path }]);
  await expect(api.send('c1', pong, AbortSignal.abort())).rejects.toThrow();
  expect(requests).toHaveLength(2);
});
