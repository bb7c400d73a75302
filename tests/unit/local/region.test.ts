import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startRegionRouter } from '../../../local/stack/region.ts';
import { listen } from '../../../loopback/http-server.ts';

const authorization = 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request';

test('a caller that gives up before the engine answers leaves the router running', async () => {
  const engine = createServer();
  const { url, stop } = await listen(engine);
  onTestFinished(stop);
  const router = await startRegionRouter({ 'us-east-1': url });
  onTestFinished(router.stop);

  const impatient = get(router.url, { headers: { authorization } });
  impatient.on('error', () => undefined);
  const [, late] = await once(engine, 'request');
  impatient.destroy();
  // By the time of this answer, the router knows that the caller has gone.
  expect((await fetch(router.url)).status).toBe(400);
  late.end('late');
  engine.once('request', (_, response) => response.end('in time'));
  const patient = await fetch(router.url, { headers: { authorization } });

  expect(await patient.text()).toBe('in time');
});
