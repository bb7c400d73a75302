// How ClickTable is paid. infra/table.yml describes it on demand. Provisioned, Application Auto Scaling
// adapts the table's and its index's units a second to their use, within minutes. Reads and writes have
// units of their own, so throttled writes don't hold up a redirect.
const { variable } = require('./variables.cjs');

/** The use at which autoscaling aims, in percent. Visitors wait for reads, and clicks for writes in a queue. */
const targets = { Read: 50, Write: 70 };
// AWS's quota for a table. On demand has no other limit, either.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
const mostUnits = 40_000;
/** The index is read when a user lists links, and written when one is created. */
const indexUnits = { reads: 5, writes: 5 };
// Autoscaling doesn't go down again while nothing is used, such as after an import.
const mostIndexUnits = 100;

/** @typedef {{ reads: number, writes: number }} Units */

/**
 * The reads or writes of the table or its index, and the resources to create first.
 *
 * @typedef {{
 *   part: string,
 *   kind: 'Read' | 'Write',
 *   path: string,
 *   least: number,
 *   most: number,
 *   after: string[],
 * }} Scaling
 */

/** @param {Units} units */
const throughput = ({ reads, writes }) => ({
  ProvisionedThroughput: { ReadCapacityUnits: reads, WriteCapacityUnits: writes },
});

/**
 * A scalable target and its policy, by logical id.
 *
 * @param {Scaling} scaling
 */
const autoscale = ({ part, kind, path, least, most, after }) => ({
  [`${part}${kind}Target`]: {
    Type: 'AWS::ApplicationAutoScaling::ScalableTarget',
    // One after the other, because their requests are limited.
    DependsOn: after,
    Properties: {
      ServiceNamespace: 'dynamodb',
      ResourceId: { 'Fn::Sub': `table/${variable('ClickTable')}${path}` },
      ScalableDimension: `dynamodb:${part.toLowerCase()}:${kind}CapacityUnits`,
      MinCapacity: least,
      MaxCapacity: most,
    },
  },
  [`${part}${kind}Policy`]: {
    Type: 'AWS::ApplicationAutoScaling::ScalingPolicy',
    Properties: {
      PolicyName: `${part}${kind}`,
      PolicyType: 'TargetTrackingScaling',
      ScalingTargetId: { Ref: `${part}${kind}Target` },
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: targets[kind],
        PredefinedMetricSpecification: {
          PredefinedMetricType: `DynamoDB${kind}CapacityUtilization`,
        },
      },
    },
  },
});

/** @param {import('./framework.ts').Tools} tools */
module.exports = async ({ resolveVariable }) => {
  if ((await resolveVariable('param:billing')) !== 'provisioned') return {};
  /** @type {Units} */
  const units = await resolveVariable('param:provisionedUnits');
  const index = { part: 'Index', path: '/index/LinksByOwner', most: mostIndexUnits };
  const table = { part: 'Table', path: '', most: mostUnits };
  return {
    Resources: {
      // Merged into the table of infra/table.yml.
      ClickTable: {
        Properties: {
          BillingMode: 'PROVISIONED',
          ...throughput(units),
          GlobalSecondaryIndexes: [throughput(indexUnits)],
        },
      },
      ...autoscale({ ...table, kind: 'Read', least: units.reads, after: [] }),
      ...autoscale({ ...table, kind: 'Write', least: units.writes, after: ['TableReadPolicy'] }),
      ...autoscale({
        ...index,
        kind: 'Read',
        least: indexUnits.reads,
        after: ['TableWritePolicy'],
      }),
      ...autoscale({
        ...index,
        kind: 'Write',
        least: indexUnits.writes,
        after: ['IndexReadPolicy'],
      }),
    },
  };
};
