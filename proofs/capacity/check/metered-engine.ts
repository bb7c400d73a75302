import { type HttpRequest, startHttpServer } from '../../../cli/loopback/http-server.ts';
import type { Stoppable } from '../../../cli/loopback/stoppable.ts';
import { startDynamoDb } from '../../../local/engines/dynamodb.ts';
import { type EngineAnswer, type EngineTotals, TransactionMeter } from './transaction-meter.ts';

export interface MeteredEngine extends Stoppable {
  /** The address at which requests are counted. */
  url: string;
  totals: Readonly<EngineTotals>;
}

/** What the engine needs to know of a request. */
const passedHeaders = ['content-type', 'x-amz-target', 'authorization', 'x-amz-date'];

/**
 * Starts dynoxide, whose write units are those that AWS bills, behind a server that passes every
 * request on and counts the transactions.
 * @throws {CommandError} if dynoxide is not installed; it says what to do.
 */
export async function startMeteredEngine(): Promise<MeteredEngine> {
  const engine = await startDynamoDb({ engine: 'dynoxide' });
  const meter = new TransactionMeter();
  const server = await startHttpServer(async (request) => {
    const answer = await forward(engine.endpoint, request);
    const target = `${request.headers['x-amz-target']}`;
    if (target.endsWith('.TransactWriteItems')) meter.add(request.body, answer);
    return answer;
  });
  const stop = async () => {
    await server.stop();
    await engine.stop();
  };
  return { url: server.url, totals: meter.totals, stop };
}

async function forward(endpoint: string, { headers, body }: HttpRequest): Promise<EngineAnswer> {
  const known = passedHeaders.flatMap((name) =>
    headers[name] ? [[name, `${headers[name]}`] as const] : [],
  );
  const response = await fetch(endpoint, {
    ...{ method: 'POST', body },
    headers: Object.fromEntries(known),
  });
  return { status: response.status, body: (await response.json()) as object };
}
