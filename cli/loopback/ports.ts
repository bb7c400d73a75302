import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

export const loopback = '127.0.0.1';

// Operating systems choose ports for servers without a port of their own, and for clients, from 32768
// (Linux) or higher. A port below cannot go to one of them before the caller's server listens.
const lowestPort = 20_000;
const lowestChosenBySystem = 32_768;

/** Finds a port that nothing listens on at the moment and that the operating system does not hand out. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(lowestPort, lowestChosenBySystem);
  return (await isPortTaken(port)) ? findFreePort() : port;
}

/** Tells whether something already listens on the port. */
export async function isPortTaken(port: number): Promise<boolean> {
  try {
    const server = createServer().listen(port, loopback);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return true;
    throw error;
  }
}
