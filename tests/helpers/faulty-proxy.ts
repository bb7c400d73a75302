import { createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../loopback/http-server.ts';
import { letResolverWait, requestNumber } from './visitor-clock.ts';

const slowMs = 300;
/** Longer than any timeout. */
const lateMs = 5_000;

interface EngineAnswer {
  status: number;
  body: string;
}
interface Exchange {
  /** The request's number. */
  number: string;
  ask: () => Promise<EngineAnswer>;
}

const error = (status: number, __type: string): EngineAnswer => ({
  status,
  body: JSON.stringify({ __type, message: 'injected' }),
});

/** What a service can do instead of answering at once. */
const faults = {
  rejects: async () => error(500, 'InternalFailure'),
  throttles: async () => error(400, 'ThrottlingException'),
  'denies access': async () => error(400, 'ExpiredTokenException'),
  hangs: async ({ number }: Exchange) => {
    await letResolverWait(number, lateMs);
    return undefined;
  },
  'is slow (300 ms)': async ({ number, ask }: Exchange) => {
    await letResolverWait(number, slowMs);
    return ask();
  },
  'acts, but answers too late': async ({ number, ask }: Exchange) => {
    const late = await ask();
    await letResolverWait(number, lateMs);
    return late;
  },
  'answers nonsense': async () => ({ status: 200, body: '<html>Welcome</html>' }),
  'answers {}': async () => ({ status: 200, body: '{}' }),
} satisfies Record<string, (exchange: Exchange) => Promise<EngineAnswer | undefined>>;

export type Fault = keyof typeof faults;
export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>;

/** Passes requests to a local engine. While it has a fault, it fails instead. */
export async function startFaultyProxy(engine: string) {
  const state: { fault: Fault | undefined } = { fault: undefined };
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const ask = () => pass(engine, incoming, body);
    const number = `${incoming.headers[requestNumber]}`;
    const answer = state.fault ? await faults[state.fault]({ number, ask }) : await ask();
    // The test's clock may be at another time, and the client would correct it.
    response.sendDate = false;
    if (answer === undefined) {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(answer.body);
  });
  return Object.assign(state, await listen(server));
}

function pass(engine: string, incoming: IncomingMessage, body: string): Promise<EngineAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<EngineAnswer>();
  const { method, url = '/', headers } = incoming;
  const onward = request(new URL(url, engine), { method, headers }, async (answer) => {
    resolve({ status: answer.statusCode ?? 500, body: await text(answer) });
  });
  onward.on('error', reject);
  onward.end(body);
  return promise;
}
