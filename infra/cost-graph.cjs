// The dashboard's estimate of what the clicks cost.
const { combine, graph, source, sum } = require('./graphs.cjs');
const { variable } = require('./variables.cjs');

/**
 * List prices of a million units in us-east-1, in dollars. A test compares them with those of the model
 * (proofs/capacity/prices.ts). CloudWatch doesn't document numbers such as 4e-7 in expressions.
 */
const listPrices = {
  httpApiRequest: 1,
  customEvent: 1,
  queueRequest: 0.4,
  lambdaRequest: 0.2,
  lambdaGbSecond: 13.3334,
  writeUnit: 0.625,
  writeUnitHour: 650,
};

/**
 * A function's duration and invocations, and an expression of their price.
 *
 * @param {string} id
 * @param {string} logicalId
 * @param {string} memoryMb
 */
const priceFunction = (id, logicalId, memoryMb) => {
  const from = source('AWS/Lambda', { FunctionName: variable(logicalId) });
  const duration = `${id}Duration`;
  const invocations = `${id}Invocations`;
  const gbSeconds = `FILL(${duration}, 0) / 1000 * ${memoryMb} / 1024`;
  return {
    metrics: [
      from('Duration', undefined, { id: duration, visible: false }),
      from('Invocations', undefined, { id: invocations, visible: false }),
    ],
    expression:
      `${gbSeconds} * ${listPrices.lambdaGbSecond} + ` +
      `FILL(${invocations}, 0) * ${listPrices.lambdaRequest}`,
  };
};

const onTable = source('AWS/DynamoDB', { TableName: variable('ClickTable') });

/**
 * The price of the table's writes: of used units, or of provisioned ones in each hour.
 *
 * @param {unknown} billing
 */
const priceWrites = (billing) =>
  billing === 'provisioned'
    ? {
        metrics: [
          onTable('ProvisionedWriteCapacityUnits', undefined, {
            id: 'units',
            visible: false,
            stat: 'Average',
          }),
        ],
        expression: `FILL(units, 0) * PERIOD(units) / 3600 * ${listPrices.writeUnitHour}`,
      }
    : {
        metrics: [
          onTable('ConsumedWriteCapacityUnits', undefined, { id: 'units', visible: false }),
        ],
        expression: `FILL(units, 0) * ${listPrices.writeUnit}`,
      };

/**
 * The dollars of the selected time range, without logs, reads, pushes and what a stage costs at rest. The
 * queues are those of infra/click-queues.cjs, as sources of metrics.
 *
 * @param {import('./framework.ts').Tools} tools
 * @param {import('./cloudwatch.ts').Source[]} queues
 * @param {import('./cloudwatch.ts').Source} api
 */
async function showCosts({ resolveVariable }, queues, api) {
  const isOnBus = (await resolveVariable('param:clicksVia')) === 'bus';
  const writes = priceWrites(await resolveVariable('param:billing'));
  const functions = [
    priceFunction('resolver', 'ResolveLinkLambdaFunction', variable('param:resolverMemoryMb')),
    priceFunction(
      'aggregator',
      'AggregateClicksLambdaFunction',
      variable('param:aggregatorMemoryMb'),
    ),
  ];
  // A click's message is sent alone, and received and deleted with up to nine others.
  const perMessage = 1.2 * listPrices.queueRequest + (isOnBus ? listPrices.customEvent : 0);
  const hidden = { visible: false };
  const parts = [
    `FILL(requests, 0) * ${listPrices.httpApiRequest}`,
    `sent * ${perMessage}`,
    ...[writes, ...functions].map(({ expression }) => expression),
  ];
  return graph(
    6,
    'About what the clicks cost, in US dollars at list prices',
    {
      view: 'singleValue',
      stat: 'Sum',
      setPeriodToTimeRange: true,
      singleValueFullPrecision: false,
    },
    [
      [
        {
          id: 'dollars',
          label: 'without logs, live pages and alarms',
          expression: `(${parts.join(' + ')}) / 1000000`,
        },
      ],
      api('Count', undefined, { ...hidden, id: 'requests' }),
      ...combine(queues, sum)('NumberOfMessagesSent', 'sent', { ...hidden, id: 'sent' }),
      ...[writes, ...functions].flatMap(({ metrics }) => metrics),
    ],
  );
}

module.exports = { listPrices, showCosts };
