import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../cli/loopback/http-server.ts';
import { findFreePort } from '../../../cli/loopback/ports.ts';

async function listenOn(port?: number) {
  const server = await listen(createServer(), port);
  onTestFinished(server.stop);
  return server;
}

test('a free port is below all that the operating system hands out', async () => {
  for (let round = 0; round < 50; round += 1) {
    const { port } = await listenOn();
    expect(await findFreePort()).toBeLessThan(port);
  }
});
