// The dashboard as data; packaging turns it into the JSON that CloudWatch expects.
const apiAlarms = require('./alarms/api.cjs');
const describeClickAlarms = require('./alarms/clicks.cjs');
const liveAlarms = require('./alarms/live.cjs');
const standbyAlarms = require('./alarms/standby.cjs');
const { readClickQueues } = require('./click-queues.cjs');
const { showCosts } = require('./cost-graph.cjs');
const {
  combine,
  graph,
  greatest,
  layOut,
  orZero,
  percentiles,
  source,
  sum,
} = require('./graphs.cjs');
const { readFunctions } = require('./limits.cjs');
const { hasStandby, standby } = require('./standby/standby.cjs');
const { stack, variable } = require('./variables.cjs');

const service = variable('self:service');
const stage = variable('sls:stage');
const region = variable('AWS::Region');

/** @param {string} id */
const queue = (id) => source('AWS/SQS', { QueueName: variable(`${id}.QueueName`) });
const clickDlq = queue('ClickDLQ');
const ruleDlq = queue('ClickRuleDLQ');
const application = source('ClickTally', { service, stage });
const emitted = orZero(application);
/** @param {string} name */
const rule = (name) =>
  source('AWS/Events', {
    EventBusName: variable('ClickBus'),
    RuleName: `${stack}-${name}`,
  });
const unmatchedRule = rule('unmatched');
const aggregator = source('AWS/Lambda', {
  FunctionName: variable('AggregateClicksLambdaFunction'),
});
const onTable = { TableName: variable('ClickTable') };
const table = source('AWS/DynamoDB', onTable);
const commits = source('AWS/DynamoDB', { ...onTable, Operation: 'TransactWriteItems' });
const api = source('AWS/ApiGateway', { ApiId: variable('HttpApi'), Stage: '$default' });
const accessLog = source(`ClickTally/${stage}`, {});
const pusher = source('AWS/Lambda', { FunctionName: variable('PushCountsLambdaFunction') });
const authorizer = source('AWS/Lambda', {
  FunctionName: variable('AuthorizeConnectionLambdaFunction'),
});
const liveApi = source('AWS/ApiGateway', { ApiId: variable('WebsocketsApi'), Stage: stage });

const depth = 'ApproximateNumberOfMessagesVisible';
const age = 'ApproximateAgeOfOldestMessage';
const onTheRight = { yAxis: 'right' };
const left = { min: 0 };
const right = { min: 0 };
const clicksAndSeconds = {
  left: { min: 0, label: 'clicks', showUnits: false },
  right: { min: 0, label: 'seconds', showUnits: false },
};

/** @param {import('./framework.ts').Tools} tools */
const showAlarms = async (tools) => {
  const ofStandby = (await hasStandby(tools)) ? [standbyAlarms] : [];
  const found = [await describeClickAlarms(tools), apiAlarms, liveAlarms, ...ofStandby];
  const ids = found.flatMap(({ Resources }) =>
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
      .map(([id]) => id),
  );
  const properties = { title: 'Alarms', alarms: ids.map((id) => variable(`${id}.Arn`)) };
  return { type: 'alarm', width: 24, properties };
};

const unaccounted = {
  id: 'unaccounted',
  label: 'unaccounted (invocation crashed, timed out or throttled)',
  expression: 'received - counted - duplicates - failed',
};
const inTotal = { view: 'singleValue', stat: 'Sum', setPeriodToTimeRange: true };
const now = { view: 'singleValue', period: 60 };
const maxima = { stat: 'Maximum', yAxis: clicksAndSeconds };
const eachMinute = { ...maxima, period: 60 };

/** @param {import('./cloudwatch.ts').Source[]} queues */
const showQueues = (queues) => {
  const inAll = combine(queues, sum);
  const oldest = combine(queues, greatest);

  const outcomes = graph(24, 'received = counted + duplicates + failed', { stat: 'Sum' }, [
    ...inAll('NumberOfMessagesReceived', 'received', { id: 'received' }),
    ...emitted('ClicksCounted', 'counted'),
    ...emitted('DuplicateClicks', 'duplicates'),
    ...emitted('FailedClicks', 'failed (to be retried or dead)', { id: 'failed' }),
    ...emitted('DeadLetters', 'dead letters (among the failed)', { id: 'dead' }),
    [unaccounted],
  ]);

  const counted = graph(6, 'Clicks in the selected time range', inTotal, [
    ...emitted('ClicksCounted', 'counted'),
    ...emitted('DuplicateClicks', 'duplicates'),
  ]);

  const late = graph(4, 'How late: the oldest click now', { ...now, stat: 'Maximum' }, [
    ...oldest(age, 'seconds'),
  ]);

  const failing = graph(8, 'What failed in the selected time range', inTotal, [
    ...emitted('FailedClicks', 'failed'),
    ...emitted('DeadLetters', 'dead letters'),
    ...emitted('ClicksUnpublished', 'unpublished'),
    ...emitted('CounterDrift', 'drift'),
  ]);

  const title = `${queues.length > 1 ? 'All ClickQueues' : 'ClickQueue'}: depth and age of the oldest click`;
  const waiting = graph(8, title, eachMinute, [
    ...inAll(depth, 'waiting'),
    ...inAll('ApproximateNumberOfMessagesNotVisible', 'in flight'),
    ...oldest(age, 'age of the oldest', onTheRight),
  ]);
  return { outcomes, counted, late, failing, waiting };
};

const deadLetters = graph(8, 'Dead letters: depth and age of the oldest', maxima, [
  clickDlq(depth, 'ClickDLQ'),
  ruleDlq(depth, 'ClickRuleDLQ'),
  clickDlq(age, 'age in ClickDLQ', onTheRight),
  ruleDlq(age, 'age in ClickRuleDLQ', onTheRight),
]);

/** @param {import('./click-queues.cjs').ClickQueue[]} clickQueues */
const busFailures = (clickQueues) => {
  const ofAll = combine(
    clickQueues.map(({ dashed }) => rule(`clicks${dashed}`)),
    sum,
  );
  return graph(8, 'Bus: failed deliveries, unmatched events', { stat: 'Sum' }, [
    ...ofAll('FailedInvocations', 'given up'),
    ...ofAll('InvocationsSentToDlq', 'kept in ClickRuleDLQ'),
    ...ofAll('InvocationsFailedToBeSentToDlq', 'lost'),
    unmatchedRule('MatchedEvents', 'unmatched'),
    unmatchedRule('FailedInvocations', 'unmatched and not logged'),
  ]);
};

const overTime = { yAxis: { left } };
const sums = { stat: 'Sum', yAxis: { left } };
const sumsOnTwoAxes = { stat: 'Sum', yAxis: { left, right } };

const durations = graph(
  12,
  'aggregate-clicks: invocation duration',
  overTime,
  percentiles(aggregator, 'Duration'),
);

const invocations = graph(12, 'aggregate-clicks: errors, throttles, concurrency', sumsOnTwoAxes, [
  aggregator('Errors', 'errors'),
  aggregator('Throttles', 'throttles'),
  aggregator('ConcurrentExecutions', 'maximum concurrency', { stat: 'Maximum', ...onTheRight }),
]);

const capacity = graph(8, 'ClickTable: consumed units', sums, [
  table('ConsumedWriteCapacityUnits', 'write units'),
  table('ConsumedReadCapacityUnits', 'read units'),
]);

const contention = graph(8, 'ClickTable: throttles and conflicts', sums, [
  table('TransactionConflict', 'items in conflict'),
  commits('ThrottledRequests', 'throttled transactions'),
  table('WriteThrottleEvents', 'throttled writes'),
  table('ReadThrottleEvents', 'throttled reads'),
]);

const ratio = { stat: 'Sum', yAxis: { left: { ...left, showUnits: false } } };
const price = graph(8, "Write units per counted click (a new link's unit included)", ratio, [
  [{ id: 'unitsPerClick', label: 'units per click', expression: 'units / counted' }],
  table('ConsumedWriteCapacityUnits', undefined, { id: 'units', visible: false }),
  application('ClicksCounted', undefined, { id: 'counted', visible: false }),
]);

const requests = graph(8, 'API: requests and errors', sumsOnTwoAxes, [
  api('4xx', '4xx'),
  ...orZero(accessLog)('ThrottledRequests', 'throttled (among the 4xx)', { id: 'throttled' }),
  api('5xx', '5xx'),
  api('Count', 'requests', onTheRight),
]);

const latency = graph(8, 'API: latency', overTime, percentiles(api, 'Latency'));

/** @param {import('./framework.ts').DeployedFunction[]} functions */
const apiFunctions = (functions) => {
  const behindApi = functions.filter(({ routes }) => routes.length > 0);
  const lines = behindApi.flatMap(({ name, logicalId }) => {
    const invocations = source('AWS/Lambda', { FunctionName: variable(logicalId) });
    return ['Errors', 'Throttles'].map((metric) => invocations(metric, `${name}: ${metric}`));
  });
  return graph(8, 'API: errors and throttles of its functions', sums, lines);
};

const milliseconds = { left: { min: 0, label: 'milliseconds', showUnits: false }, right };
const pushes = graph(
  12,
  'Live page: age of the newest batch of push-counts, failures',
  { stat: 'Maximum', yAxis: milliseconds },
  [
    pusher('IteratorAge', 'behind the table'),
    pusher('Errors', 'errors', { stat: 'Sum', ...onTheRight }),
    pusher('Throttles', 'throttles', { stat: 'Sum', ...onTheRight }),
    ...emitted('PushFailures', 'failed pushes', { stat: 'Sum', ...onTheRight }),
  ],
);

const liveConnections = graph(12, 'WebSocket API: connections, messages, errors', sumsOnTwoAxes, [
  liveApi('ClientError', 'rejected'),
  liveApi('IntegrationError', 'failed in a function'),
  liveApi('ExecutionError', 'failed before a function'),
  authorizer('Errors', 'failed token checks'),
  liveApi('ConnectCount', 'connections', onTheRight),
  liveApi('MessageCount', 'messages', onTheRight),
]);

const replicator = source('AWS/Lambda', { FunctionName: variable('ReplicateLinksLambdaFunction') });
const replication = graph(
  12,
  'Standby: age of the newest change that it gets, missed changes',
  { stat: 'Maximum', yAxis: milliseconds },
  [
    replicator('IteratorAge', 'behind the table'),
    queue('ReplicationDLQ')(depth, 'missed changes', onTheRight),
  ],
);

const inStandby = { region: standby.region };
const standbyQueue = source('AWS/SQS', { QueueName: `${standby.name}-dlq` });
const standbyRule = source('AWS/Events', {
  EventBusName: standby.name,
  RuleName: `${standby.name}-forward`,
});
const standbyClicks = graph(12, 'Standby: clicks, and those that wait there', { stat: 'Sum' }, [
  standbyRule('MatchedEvents', 'redirected there', inStandby),
  standbyRule('InvocationsSentToDlq', 'not forwarded', inStandby),
  standbyQueue(depth, 'waiting in StandbyDLQ', { ...inStandby, stat: 'Maximum' }),
]);

/**
 * The rows from top to bottom, each with its height and its widgets from left to right. A row is 24
 * columns wide.
 *
 * @param {import('./framework.ts').Tools} tools
 * @returns {Promise<import('./cloudwatch.ts').Row[]>}
 */
const toRows = async (tools) => {
  const clickQueues = await readClickQueues(tools);
  const queues = clickQueues.map(({ id }) => queue(id));
  const { outcomes, counted, late, failing, waiting } = showQueues(queues);
  /** @type {import('./cloudwatch.ts').Row[]} */
  const ofStandby = (await hasStandby(tools)) ? [[6, replication, standbyClicks]] : [];
  return [
    [4, counted, late, failing, await showCosts(tools, queues, api)],
    [4, await showAlarms(tools)],
    [7, outcomes],
    [6, waiting, deadLetters, busFailures(clickQueues)],
    [6, durations, invocations],
    [6, capacity, contention, price],
    [6, requests, latency, apiFunctions(await readFunctions(tools))],
    [6, pushes, liveConnections],
    ...ofStandby,
  ];
};

/** @param {import('./framework.ts').Tools} tools */
module.exports = async (tools) => {
  if (`${await tools.resolveVariable('param:dashboard')}` !== 'true') return {};
  const widgets = layOut(await toRows(tools));
  return {
    Resources: {
      ClickDashboard: {
        Type: 'AWS::CloudWatch::Dashboard',
        Properties: {
          DashboardName: stack,
          DashboardBody: {
            'Fn::Sub': JSON.stringify({ start: '-PT24H', periodOverride: 'inherit', widgets }),
          },
        },
      },
    },
    Outputs: {
      DashboardUrl: {
        Value: {
          'Fn::Sub': `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${variable('ClickDashboard')}`,
        },
      },
    },
  };
};
