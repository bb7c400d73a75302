/** The price of a number of units. */
export interface Price {
  /** US dollars for `per` units. */
  dollars: number;
  per: number;
}

const price = (dollars: number, per = 1): Price => ({ dollars, per });
const perMillion = (dollars: number) => price(dollars, 1_000_000);

/**
 * On-demand list prices of November 2026 in us-east-1: first tiers, without free tiers. A GB is 2^30
 * bytes. EventBridge's deliveries within an account and Lambda's reads of a stream are free. Each
 * comment has AWS's page, followed by the source of the value.
 */
export const prices = {
  // https://aws.amazon.com/api-gateway/pricing/: https://amnic.com/blogs/aws-api-gateway-pricing
  /** Up to 512 KB count as one. Above 300 million a month, a request costs less. */
  httpApiRequest: perMillion(1),
  httpApiFurtherRequest: perMillion(0.9),
  // https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer, from memory
  dataOutGb: price(0.09),
  /** In either direction; up to 32 KB count as one. */
  webSocketMessage: perMillion(1),
  webSocketMinute: perMillion(0.25),
  // https://aws.amazon.com/lambda/pricing/: https://cloudchipr.com/blog/aws-lambda-pricing
  lambdaRequest: perMillion(0.2),
  /** On arm64. */
  lambdaGbSecond: price(0.0000133334),
  // https://aws.amazon.com/dynamodb/pricing/on-demand/: https://airbyte.com/data-engineering-resources/dynamodb-pricing
  writeUnit: perMillion(0.625),
  readUnit: perMillion(0.125),
  // https://aws.amazon.com/dynamodb/pricing/provisioned/, from memory
  writeUnitHour: price(0.00065),
  readUnitHour: price(0.00013),
  // https://aws.amazon.com/eventbridge/pricing/: https://cloudburn.io/blog/amazon-eventbridge-pricing
  /** Up to 64 KB count as one. */
  customEvent: perMillion(1),
  // https://aws.amazon.com/sqs/pricing/: https://cloudburn.io/blog/amazon-sqs-pricing
  /** Of a standard queue; up to 64 KB count as one. */
  queueRequest: perMillion(0.4),
  // https://aws.amazon.com/cloudwatch/pricing/: https://github.com/api-evangelist/cloudwatch/blob/main/plans/cloudwatch-plans-pricing.yml
  logIngestedGb: price(0.5),
  /** After compression. */
  logStoredGbMonth: price(0.03),
  /** Includes metrics in EMF lines. An hour without a data point is free. */
  customMetricMonth: price(0.3),
  /** An alarm on an expression costs this for each metric in it. */
  alarmMetricMonth: price(0.1),
  /** https://aws.amazon.com/kms/pricing/, from memory. Only alarms use it, so its requests cost nothing. */
  keyMonth: price(1),
};
