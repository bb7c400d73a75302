import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

export const loopback = '127.0.0.1';

// Ephemeral ports start at 32768 on Linux, and higher elsewhere. The operating system can't assign
// a lower port to another program before the caller's server listens.
const lowestPort = 20_000;
const lowestChosenBySystem = 32_768;

/** Finds an unused port below the ephemeral range. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(lowestPort, lowestChosenBySystem);
  return (await isPortTaken(port)) ? findFreePort() : port;
}

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
