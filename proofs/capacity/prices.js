const price = (dollars, per = 1) => ({ dollars, per });
const perMillion = (dollars) => price(dollars, 1000000);
/** The hourly price of a reserved unit, of which AWS sells 100 at a time, including its share of the upfront fee. */
const reserved = (years, upfront, hourly) => price((upfront / (years * 8760) + hourly) / 100);
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
    // The same page, from memory; a year saves 54%, three save 77%:
    // https://docs.archera.ai/help-center/cloud-service-intelligence/cloud-service-intelligence/aws/database/dynamodb
    writeUnitHourForOneYear: reserved(1, 150, 0.0128),
    readUnitHourForOneYear: reserved(1, 30, 0.0025),
    writeUnitHourForThreeYears: reserved(3, 180, 0.0081),
    readUnitHourForThreeYears: reserved(3, 36, 0.0016),
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
};
/**
 * Units a month that AWS doesn't charge, for the account and without an end. Its dashboards are free up
 * to three. The HTTP API's million requests are free for the first year of an account that was created
 * before 15 July 2025, and are left out. DynamoDB's free units are only for provisioned tables.
 * https://aws.amazon.com/free/, from memory.
 */
export const freeUnits = {
    dataOutGb: 100,
    lambdaRequest: 1000000,
    lambdaGbSecond: 400000,
    queueRequest: 1000000,
    logIngestedGb: 5,
    customMetricMonth: 10,
    alarmMetricMonth: 10,
};
