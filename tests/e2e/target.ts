import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { OutputName, Stack } from '../../cli/stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    target: Target;
  }
}

/** The variable in which run.ts hands the target to the tests, as JSON. */
export const targetVariable = 'E2E_TARGET';

/** The stack under test, as plain data. */
export interface Target {
  /** What every link's code and every click's id of this run begins with. */
  runId: string;
  api: string;
  token: string;
  outputs: Record<(typeof outputNames)[number], string>;
  clientConfig: Pick<Stack['clientConfig'], 'dynamodb' | 'sqs' | 'events'>;
}

const outputNames = [
  'TableName',
  'ClickQueueUrl',
  'ClickDlqUrl',
  'BusName',
] as const satisfies OutputName[];

/** Gathers what the tests need of a stack. */
export function describeTarget(
  { output, clientConfig: { dynamodb, sqs, events } }: Stack,
  { runId, api, token }: { runId: string; api: string; token: string },
): Target {
  const outputs = Object.fromEntries(outputNames.map((name) => [name, output(name)]));
  return {
    runId,
    api,
    token,
    outputs: outputs as Target['outputs'],
    clientConfig: { dynamodb, sqs, events },
  };
}

/** Clients for the target's services. */
export function connectTarget({ clientConfig }: Target) {
  return {
    dynamodb: new DynamoDBClient(clientConfig.dynamodb),
    // Otherwise AWS_ENDPOINT_URL would not hold for a queue whose URL names another host.
    sqs: new SQSClient({ ...clientConfig.sqs, useQueueUrlAsEndpoint: false }),
    events: new EventBridgeClient(clientConfig.events),
  };
}
