import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { listen } from '../../cli/loopback/http-server.ts';
import { loopback } from '../../cli/loopback/ports.ts';

/** Starts a way to a local server that a test can close, as a network that fails does. */
export async function startGate() {
  const passing = new Set<Socket>();
  let target: number | undefined;
  let isClosed = false;
  const server = createServer((socket) => {
    if (isClosed || target === undefined) return socket.destroy();
    const beyond = connect(target, loopback);
    passing.add(socket);
    // An end on one side ends the other; why it ended is no concern of the gate.
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
    /** Ends the connections; new ones pass. */
    interrupt,
    /** Ends the connections and refuses new ones. */
    close() {
      isClosed = true;
      interrupt();
    },
    open() {
      isClosed = false;
    },
  };
}
