import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localClientConfig } from '../../cli/local-aws.ts';
import { stubAwsEnvironment } from './aws-environment.ts';
import { answerInTurn, answerJson, startScriptedService } from './scripted-service.ts';

/** The name of the table that {@link startScriptedTable} starts. */
export const tableName = 'ClickTable';

/** Starts a table that gives each answer once, in this order, and records its requests' bodies. */
export async function startScriptedTable(...answers: Parameters<typeof answerInTurn>) {
  const { url, bodies } = await startScriptedService(answerInTurn(...answers));
  const baseClient = new DynamoDBClient(localClientConfig(url));
  const client = DynamoDBDocumentClient.from(baseClient);
  return { bodies, access: { client, baseClient, tableName } };
}

/** DynamoDB's error, such as `TransactionConflictException`. */
export function refuse(name: string, details: object = {}) {
  return answerJson(400, {
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: 'refused',
    ...details,
  });
}

/** DynamoDB's cancellation of a transaction, with a code for each item. */
export function cancel(...codes: string[]) {
  return refuse('TransactionCanceledException', {
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

/**
 * Starts a table that gives each answer once, in this order, and then empty ones. Use it for answers
 * that local engines never give. Functions that are imported from now on use it. Returns its requests.
 */
export async function startTableOfFunctions(...answers: object[]): Promise<unknown[]> {
  const { url, bodies } = await startScriptedService((response) =>
    answerJson(200, answers.shift() ?? {})(response),
  );
  stubAwsEnvironment({ TABLE_NAME: 'clicks', AWS_ENDPOINT_URL_DYNAMODB: url });
  return bodies;
}
