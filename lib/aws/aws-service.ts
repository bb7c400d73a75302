import { partition } from '@aws-sdk/core/client';

/** `host` is also the name in signatures, and `version` that of AWS JSON. */
export const awsServices = {
  DynamoDB: { host: 'dynamodb', target: 'DynamoDB_20120810', version: '1.0' },
  EventBridge: { host: 'events', target: 'AWSEvents', version: '1.1' },
  SQS: { host: 'sqs', target: 'AmazonSQS', version: '1.0' },
};

export type AwsService = keyof typeof awsServices;

/** The endpoint that the SDK's clients would use with these variables. */
export function endpointOf(service: AwsService, region: string, env = process.env): URL {
  const override = env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] || env.AWS_ENDPOINT_URL;
  if (override) return new URL(override);
  const { host } = awsServices[service];
  const isDualStack = env.AWS_USE_DUALSTACK_ENDPOINT === 'true';
  const { name, dnsSuffix, dualStackDnsSuffix } = partition(region);
  // GovCloud's usual endpoints are FIPS endpoints, except two of the dual-stack ones.
  const isUsual = name === 'aws-us-gov' && (!isDualStack || host === 'events');
  const fips = env.AWS_USE_FIPS_ENDPOINT === 'true' && !isUsual ? '-fips' : '';
  return new URL(
    `https://${host}${fips}.${region}.${isDualStack ? dualStackDnsSuffix : dnsSuffix}`,
  );
}
