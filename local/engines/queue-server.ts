import { buildApp } from 'fauxqs';
import { accountId, region } from './aws.ts';
import type { RunningServer } from './http-server.ts';
import { loopback } from './ports.ts';

/** Starts SQS and SNS, in this process and in memory, on a free port. */
export async function startQueueServer(): Promise<RunningServer> {
  const app = buildApp({ logger: false, defaultRegion: region });
  const url = await app.listen({ port: 0, host: loopback });
  return { url, stop: async () => void (await app.close()) };
}

/** The URL that a queue has, or will have once it is created. */
export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/${accountId}/${name}`;
}
