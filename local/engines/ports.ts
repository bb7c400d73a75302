import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export const loopback = '127.0.0.1';

/** Finds a port that nothing listens on at the moment. */
export async function findFreePort(): Promise<number> {
  return listenOnce(0);
}

/** Tells whether something already listens on the port. */
export async function isPortTaken(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return true;
    throw error;
  }
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer().listen(port, loopback);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return address.port;
}
