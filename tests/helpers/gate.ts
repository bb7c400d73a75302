import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { listen } from '../../cli/loopback/http-server.ts';
import { loopback } from '../../cli/loopback/ports.ts';

/** Starts a proxy to a local server that a test can close, like a failing network. */
export async function startGate() {
  const passing = new Set<Socket>();
  let target: number | undefined;
  let isClosed = false;
  const server = createServer((socket) => {
    if (isClosed || target === undefined) return socket.destroy();
    const beyond = connect(target, loopback);
    passing.add(socket);
    // If one side ends, for whatever reason, the other ends too.
    pipeline(socket, beyond, socket, () => passing.delete(socket));
  });
  const { port, stop } = await listen(server);
  const interrupt = () => {
    for (const socket of passing) socket.destroy();
  };
  return {
    port,
    stop,
    leadTo(port: number) {
      target = port;
    },
    /** Closes the connections, but accepts new ones. */
    interrupt,
    /** Closes the connections and refuses new ones. */
    close() {
      isClosed = true;
      interrupt();
    },
    open() {
      isClosed = false;
    },
  };
}
