import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { endpointOf } from '../../../lib/aws/aws-client.ts';
const clients = {
    DynamoDB: new DynamoDBClient(),
    EventBridge: new EventBridgeClient(),
    SQS: new SQSClient(),
};
const regions = [
    ...['us-east-1', 'eu-central-2', 'ap-southeast-7', 'us-gov-west-1', 'us-gov-east-1'],
    ...['cn-north-1', 'us-iso-east-1', 'eusc-de-east-1'],
];
test.each(Object.keys(clients))("the endpoints of %s are the SDK's in each partition", (name) => {
    const { config } = clients[name];
    for (const Region of regions) {
        const { url } = config.endpointProvider({ Region });
        expect(endpointOf(name, Region, {}).href).toBe(url.href);
    }
});
test('a service can have an endpoint of its own, or all share one', () => {
    const all = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' };
    const own = { ...all, AWS_ENDPOINT_URL_SQS: 'https://vpce-1.sqs.us-east-1.vpce.amazonaws.com' };
    expect(endpointOf('SQS', 'us-east-1', all).host).toBe('127.0.0.1:1');
    expect(endpointOf('SQS', 'us-east-1', own).href).toBe(`${own.AWS_ENDPOINT_URL_SQS}/`);
});
