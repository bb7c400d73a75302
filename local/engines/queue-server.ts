import { buildApp } from 'fauxqs';
import { rejectForeignRequests } from '../../loopback/foreign-requests.ts';
import type { RunningServer } from '../../loopback/http-server.ts';
import { accountId, region } from '../../loopback/local-aws.ts';
import { loopback } from '../../loopback/ports.ts';

/** Starts SQS in this process, in memory, on a free port. */
export async function startQueueServer(): Promise<RunningServer> {
  const app = buildApp({ logger: false, defaultRegion: region });
  rejectForeignRequests(app.server);
  const url = await app.listen({ port: 0, host: loopback });
  return { url, stop: async () => void (await app.close()) };
}

/** A queue's URL, which is known before the queue exists. */
export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/${accountId}/${name}`;
}

/** The URLs of the stack's queues. ClickQueue has the name that the template gives it. */
export function stackQueueUrls(endpoint: string) {
  return {
    clickQueueUrl: queueUrl(endpoint, 'click-tally-local-clicks'),
    clickDlqUrl: queueUrl(endpoint, 'ClickDLQ'),
    clickRuleDlqUrl: queueUrl(endpoint, 'ClickRuleDLQ'),
  };
}
