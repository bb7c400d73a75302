import { region, standbyRegion } from '../../loopback/local-aws.ts';
import { startOriginGroup } from './origin-group.ts';
import { type Gates, startGates, startRegionRouter } from './region.ts';
import { startStandbyEngines } from './standby.ts';

/** The URLs of a stack's servers. */
export interface Servers {
  api: string;
  live: string;
  dynamodb: string;
  sqs: string;
  events: string;
}

/** As infra/edge.yml has it. */
const originTimeoutMs = 4_000;

/**
 * Puts the home Region's servers behind gates, starts the standby's, and a front at the API's address. In
 * the result, `servers` are those that visitors, functions and commands should use.
 */
export async function startTwoRegions(
  servers: Servers,
  port: number,
  cleanup: AsyncDisposableStack,
) {
  const home: Gates<keyof Servers> = await startGates({ ...servers }, cleanup);
  const standby = await startStandbyEngines(cleanup);
  const { api, dynamodbEndpoint } = standby.outputs;
  const router = await startRegionRouter({
    [region]: home.urls.dynamodb,
    [standbyRegion]: dynamodbEndpoint,
  });
  cleanup.defer(router.stop);
  const origins = { home: home.urls.api, standby: api, timeoutMs: originTimeoutMs, port };
  const front = await startOriginGroup(origins);
  cleanup.defer(front.stop);
  const live = home.urls.live.replace('http:', 'ws:');
  return { servers: { ...home.urls, live, api: front.url, dynamodb: router.url }, home, standby };
}
