import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Stack } from '../../cli/stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    target: Target;
  }
}

/** The environment variable that passes the target to the tests, as JSON. */
export const targetVariable = 'E2E_TARGET';

/** The stack under test, as plain data. */
export interface Target {
  /** The prefix of this run's codes and click ids. */
  runId: string;
  api: string;
  token: string;
  outputs: Record<(typeof outputNames)[number], string>;
  clientConfig: Stack['clientConfig'];
}

const outputNames = ['TableName', 'ClickQueueUrl', 'ClickDlqUrl', 'BusName'] as const;

export function describeTarget(
  { output, clientConfig }: Stack,
  run: Pick<Target, 'runId' | 'api' | 'token'>,
): Target {
  const outputs = Object.fromEntries(outputNames.map((name) => [name, output(name)]));
  return { ...run, outputs: outputs as Target['outputs'], clientConfig };
}

export function connectTarget({ clientConfig }: Target) {
  return {
    dynamodb: new DynamoDBClient(clientConfig.dynamodb),
    // Otherwise the SDK ignores AWS_ENDPOINT_URL and uses the host of the queue's URL.
    sqs: new SQSClient({ ...clientConfig.sqs, useQueueUrlAsEndpoint: false }),
    events: new EventBridgeClient(clientConfig.events),
  };
}
