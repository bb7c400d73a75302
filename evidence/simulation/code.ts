import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2, Context, SQSEvent } from 'aws-lambda';
import { withBug } from './mutation.ts';
import { interceptAwsClients } from './network.ts';

type ApiHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<{ statusCode?: number; body?: string }>;

/** What the code under test logs as an error or a warning. */
export interface Logged {
  message: string;
  extra: Record<string, unknown>;
}

/** The service's own code, as it is deployed. */
export interface Code {
  /** A fresh instance of the aggregator: its own layer, cache and batch processor. */
  createHandler(): (event: SQSEvent, context: Context) => Promise<unknown>;
  resolveLink: ApiHandler;
  createLink: ApiHandler;
  getLinkStats: ApiHandler;
  /** Called with what is logged, in the process that logs it. */
  listen(onLogged: (logged: Logged) => void): void;
}

// Requests are not signed, since nobody checks it here and it takes a tenth of the time.
const known: DynamoDBClientConfig = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'simulated', secretAccessKey: 'simulated' },
  signer: { sign: async (request) => request },
};

type Aggregator = typeof import('../../functions/aggregate-clicks.ts');
type Api = { handler: unknown };
type Powertools = typeof import('../../lib/telemetry/powertools.ts');
type Idempotency = typeof import('../../lib/idempotency/index.ts');

const queueUrl = 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickQueue';

/**
 * Loads the service's code over the simulated network, with a planted bug if one is named. Its
 * modules read the environment as they load.
 */
export async function loadCode(bug?: string): Promise<Code> {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'simulated',
    AWS_SECRET_ACCESS_KEY: 'simulated',
    STAGE: 'simulation',
    TABLE_NAME: 'ClickTable',
    BUS_NAME: 'ClickBus',
    CLICK_QUEUE_URL: queueUrl,
    MAX_RECEIVE_COUNT: '3',
    BUS_RETRY_SECONDS: '1',
    QUEUE_RETENTION_SECONDS: '1',
    DEAD_LETTER_RETENTION_SECONDS: '1',
    POWERTOOLS_SERVICE_NAME: 'click-tally',
    POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    POWERTOOLS_METRICS_DISABLED: 'true',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  interceptAwsClients();
  const load = <Module>(specifier: string) => import(withBug(specifier, bug)) as Promise<Module>;
  const aggregator = await load<Aggregator>('../../functions/aggregate-clicks.ts');
  const resolver = await load<Api>('../../functions/resolve-link.ts');
  const creator = await load<Api>('../../functions/create-link.ts');
  const reader = await load<Api>('../../functions/get-link-stats.ts');
  const { logger } = await load<Powertools>('../../lib/telemetry/powertools.ts');
  const { commitClientConfig } = await load<Idempotency>('../../lib/idempotency/index.ts');
  // A client is slow to make, and without sockets it has nothing that instances could share.
  const client = new DynamoDBClient({ ...commitClientConfig, ...known });
  return {
    createHandler: () => aggregator.createHandler(client),
    resolveLink: resolver.handler as ApiHandler,
    createLink: creator.handler as ApiHandler,
    getLinkStats: reader.handler as ApiHandler,
    listen(onLogged) {
      const log = (message: unknown, extra: unknown) =>
        onLogged({ message: String(message), extra: extra as Record<string, unknown> });
      Object.assign(logger, { error: log, warn: log });
    },
  };
}
