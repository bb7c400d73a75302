import { AwsClient } from './aws-client.ts';

/** How long an attempt may take. */
export const dynamoDbTimeoutMs = 400;

/** The redirect's client for DynamoDB. Its requests share connections. */
export const dynamoDb = new AwsClient('DynamoDB', { timeoutMs: dynamoDbTimeoutMs });
