import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
/** The environment variable that passes the target to the tests, as JSON. */
export const targetVariable = 'E2E_TARGET';
const outputNames = ['TableName', 'ClickQueueUrl', 'ClickDlqUrl', 'BusName'];
export function describeTarget({ output, clientConfig }, run) {
    const outputs = Object.fromEntries(outputNames.map((name) => [name, output(name)]));
    return { ...run, outputs: outputs, clientConfig };
}
export function connectTarget({ clientConfig }) {
    return {
        dynamodb: new DynamoDBClient(clientConfig.dynamodb),
        // Otherwise the SDK ignores AWS_ENDPOINT_URL and uses the host of the queue's URL.
        sqs: new SQSClient({ ...clientConfig.sqs, useQueueUrlAsEndpoint: false }),
        events: new EventBridgeClient(clientConfig.events),
    };
}
