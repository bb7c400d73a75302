import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { common } from './package-stages.ts';
import { openStage, packageDirOf, packaged } from './stage-template.ts';

interface Metric {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: string }[];
}
interface Alarm extends Metric {
  AlarmDescription: string;
  ComparisonOperator: string;
  Threshold: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  Metrics?: { Id: string; Expression?: string; MetricStat?: { Metric: Metric; Stat: string } }[];
}

interface Widget {
  type: string;
  properties: {
    title: string;
    stat?: string;
    metrics: [...string[], { id?: string; expression?: string; stat?: string }][];
  };
}

/**
 * The metrics of AWS that alarms and the dashboard may read, as documented: by namespace and all dimensions of a
 * data point, over fewer of which CloudWatch never aggregates, the meaningful statistics. A sum makes sense for
 * counts, but not for ages.
 */
const awsMetrics: Record<string, Record<string, string>> = {
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  'AWS/SQS QueueName': {
    ApproximateNumberOfMessagesVisible: 'Maximum',
    ApproximateNumberOfMessagesNotVisible: 'Maximum',
    ApproximateAgeOfOldestMessage: 'Maximum',
    NumberOfMessagesReceived: 'Sum',
    // It stays 0 when SQS moves a dead letter.
    NumberOfMessagesSent: 'Sum',
  },
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  'AWS/Lambda FunctionName': {
    Errors: 'Sum',
    Throttles: 'Sum',
    Invocations: 'Sum',
    IteratorAge: 'Maximum',
    ConcurrentExecutions: 'Maximum',
    Duration: 'p50 p99 Sum',
  },
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
  // Without EventBusName, the rule is one of the default bus.
  'AWS/Events EventBusName RuleName': {
    FailedInvocations: 'Sum',
    InvocationsFailedToBeSentToDlq: 'Sum',
    InvocationsSentToDlq: 'Sum',
    MatchedEvents: 'Sum',
  },
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  // HTTP APIs use these names; REST APIs use 4XXError and 5XXError, by ApiName.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-logging.html
  'AWS/ApiGateway ApiId Stage': {
    '4xx': 'Sum',
    '5xx': 'Sum',
    Count: 'Sum',
    Latency: 'p50 p99',
    ClientError: 'Sum',
    ConnectCount: 'Sum',
    ExecutionError: 'Sum',
    IntegrationError: 'Sum',
    MessageCount: 'Sum',
  },
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
  'AWS/DynamoDB TableName': {
    ConsumedReadCapacityUnits: 'Sum',
    ConsumedWriteCapacityUnits: 'Sum',
    ProvisionedWriteCapacityUnits: 'Average',
    ReadThrottleEvents: 'Sum',
    TransactionConflict: 'Sum',
    WriteThrottleEvents: 'Sum',
  },
  'AWS/DynamoDB Operation TableName': { ThrottledRequests: 'Sum' },
};

/** The metrics that alarms read. */
const readByAlarms = (alarms: Record<string, Alarm>) =>
  Object.entries(alarms).flatMap(([reader, alarm]) => {
    const single = { Metric: alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic ?? '' };
    const metrics = alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []) ?? [single];
    return metrics.map(({ Metric: { Namespace, MetricName, Dimensions = [] }, Stat }) => ({
      reader,
      namespace: Namespace,
      name: MetricName,
      statistic: Stat,
      dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
    }));
  });

/** The metrics that the dashboard's widgets read. */
const readByWidgets = (widgets: readonly Widget[]) =>
  widgets.flatMap(({ properties: { title, stat = '', metrics = [] } }) =>
    metrics.flatMap((line) => {
      const [namespace, name, ...pairs] = line.slice(0, -1) as string[];
      const options = line.at(-1) as Widget['properties'];
      if (namespace === undefined || name === undefined) return [];
      const dimensions = pairs.flatMap((dimension, index) =>
        index % 2 === 0 ? [[dimension, `${pairs[index + 1]}`]] : [],
      );
      const reader = `the widget "${title}"`;
      const statistic = options.stat ?? stat;
      return { reader, namespace, name, statistic, dimensions: Object.fromEntries(dimensions) };
    }),
  );

/** The names of all metrics in the code. */
const emittedNames: string[] = globSync('{functions,lib}/**/*.ts', {
  cwd: projectDir,
}).flatMap((file) => {
  const text = readFileSync(path.join(projectDir, file), 'utf8');
  return [...text.matchAll(/\baddMetric\(\s*'(\w+)'/g)].map(([, name]) => `${name}`);
});

/**
 * Evaluates a metric math expression. A metric without data points is undefined, and an expression that uses one
 * without FILL has no data point either: it's NaN.
 */
function evaluate(expression: string, metrics: Record<string, number | undefined>): number {
  const functions = {
    FILL: (value: number | undefined, missing: number) => value ?? missing,
    MAX: (values: number[]) => Math.max(...values),
    FLOOR: Math.floor,
    /** An hour. */
    PERIOD: () => 3_600,
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  };
  const used = expression.replace(/FILL\(\w+, 0\)/g, '').match(/\b[a-z]\w*/g) ?? [];
  if (used.some((name) => name in metrics && metrics[name] === undefined)) return Number.NaN;
  const scope = { ...functions, ...metrics };
  return new Function(...Object.keys(scope), `return ${expression}`)(...Object.values(scope));
}

const toDashed = (logicalId: string) =>
  logicalId.replace(/(?<!^)[A-Z]/g, (start) => `-${start}`).toLowerCase();

describe.each(packaged)('the alarms of %s', async (name) => {
  const { template, stage, suffixes, ...opened } = await openStage(name);
  const { read, readType, has, idsOf, expects, number } = opened;
  const alarms = readType('CloudWatch::Alarm') as Record<string, Alarm>;
  const byAlarms = readByAlarms(alarms);
  const dashboards = Object.values(readType('CloudWatch::Dashboard'));
  const widgets = dashboards.flatMap(
    ({ DashboardBody }) => JSON.parse(`${DashboardBody}`).widgets as Widget[],
  );
  const byWidgets = readByWidgets(widgets);
  /** Evaluates an alarm's expression. Other metrics have no data. */
  const measure = (id: string, metrics: Record<string, number | undefined>) => {
    const [{ Expression = '' } = {}, ...others] = alarms[id]?.Metrics ?? [];
    const none = Object.fromEntries(others.map(({ Id }) => [Id, undefined]));
    return evaluate(Expression, { ...none, ...metrics });
  };

  test('notify AlarmTopic, and missing data does not set them off', () => {
    const settings = { AlarmActions: ['AlarmTopic'], TreatMissingData: 'notBreaching' };
    const expected = Object.keys(alarms).map((id) => {
      return [id, { ...settings, AlarmName: `click-tally-${stage}-${toDashed(id)}` }];
    });
    expect(alarms).toMatchObject(Object.fromEntries(expected));
  });

  test("and widgets read metrics that the code emits, that a log's filter extracts, or that AWS documents for resources of this stack", () => {
    // As powertools.test.ts and each function's variables have them.
    const namespace = 'ClickTally';
    const dimensions = { service: 'click-tally', stage };
    const filtered = Object.values(readType('Logs::MetricFilter')).flatMap(
      ({ MetricTransformations }) => MetricTransformations as object[],
    );
    const things: Record<string, unknown[]> = {
      QueueName: [...idsOf('SQS::Queue'), 'click-tally-standby-prod-dlq'],
      FunctionName: idsOf('Lambda::Function'),
      ApiId: idsOf('ApiGatewayV2::Api'),
      Stage: Object.values(readType('ApiGatewayV2::Stage')).map(({ StageName }) => StageName),
      TableName: idsOf('DynamoDB::Table'),
      Operation: ['TransactWriteItems'],
      EventBusName: [...idsOf('Events::EventBus'), 'click-tally-standby-prod'],
      // Ref would return "bus|rule", which isn't a metric's dimension.
      RuleName: [
        ...Object.values(readType('Events::Rule')).map(({ Name }) => Name),
        'click-tally-standby-prod-forward',
      ],
    };

    for (const each of [...byAlarms, ...byWidgets]) {
      const where = `${each.reader}: ${each.name}`;
      if (each.namespace === namespace) {
        expect(emittedNames, where).toContain(each.name);
        expect(each).toMatchObject({ statistic: 'Sum', dimensions });
      } else if (each.namespace === `ClickTally/${stage}`) {
        const made = { MetricNamespace: each.namespace, MetricName: each.name };
        expect(filtered, where).toContainEqual(expect.objectContaining(made));
        expect(each).toMatchObject({ statistic: 'Sum', dimensions: {} });
      } else {
        const key = [each.namespace, ...Object.keys(each.dimensions).toSorted()].join(' ');
        expect(awsMetrics[key]?.[each.name]?.split(' ') ?? [], where).toContain(each.statistic);
        for (const [dimension, value] of Object.entries(each.dimensions)) {
          expect(things[dimension], where).toContain(value);
        }
      }
    }
  });

  test('show a dashboard in staging and prod, with every alarm and every metric that the code emits', () => {
    expect(dashboards).toHaveLength(stage === 'staging' || stage === 'prod' ? 1 : 0);
    if (dashboards.length === 0) return;

    expect(new Set(byWidgets.map((each) => each.name))).toEqual(
      new Set([...byWidgets.map((each) => each.name), ...emittedNames]),
    );
    const shown = widgets.flatMap(({ properties }) => Object(properties).alarms ?? []);
    expect(shown.toSorted()).toEqual(
      idsOf('CloudWatch::Alarm')
        .map((id) => `arn:${id}`)
        .toSorted(),
    );
  });

  test('show 0 on the dashboard where nothing of the kind happened', () => {
    for (const { properties } of widgets) {
      const metrics = properties.metrics ?? [];
      const filled = metrics.map((line) => (line.at(-1) as { expression?: string }).expression);
      const sparse = metrics.filter(([namespace]) => `${namespace}`.startsWith('ClickTally'));
      // Without counted clicks, there's no price of one.
      if (properties.title.includes('per counted click')) continue;
      for (const line of sparse) {
        const { id } = line.at(-1) as { id: string };
        expect(filled.join(), `${line[1]}`).toContain(`FILL(${id}, 0)`);
      }
    }
  });

  test.runIf(name === 'prod' || name === 'prod-with-edge')(
    'and the dashboard estimates what a million clicks cost',
    () => {
      const lines = widgets.flatMap(({ properties }) => properties.metrics ?? []);
      const options = lines.map((line) => line.at(-1) as { id?: string; expression?: string });
      const { expression = '' } = options.find(({ id }) => id === 'dollars') ?? {};
      const millionClicks = {
        requests: 1_000_000,
        sent: 1_000_000,
        // Used units or, in the variant, the provisioned ones on average in an hour.
        units: name === 'prod' ? 5_000_000 : 2_000,
        // 15 ms each with 512 MB, and 100 s with 1,769 MB.
        resolverDuration: 15_000_000,
        resolverInvocations: 1_000_000,
        aggregatorDuration: 100_000,
        aggregatorInvocations: 1_000,
      };

      const dollars = evaluate(expression, millionClicks);

      const functions = 0.2 + 7_500 * 0.0000133334 + 0.0002 + 172.754 * 0.0000133334;
      const expected = name === 'prod' ? 1 + 1.48 + 3.125 : 1 + 0.48 + 1.3;
      expect(dollars).toBeCloseTo(expected + functions, 4);
      expect(expression).not.toMatch(/\de-/);
    },
  );

  test('can all go off, and none does without data', () => {
    /** The most that a metric can be, where it has an end. */
    const reachOf = ({ name, dimensions }: (typeof byAlarms)[number]): number => {
      if (name === 'Latency') return 1_000 * number('ResolveLinkLambdaFunction', 'Timeout');
      if (name === 'IteratorAge') {
        const { MaximumRecordAgeInSeconds } = Object.values(
          readType('Lambda::EventSourceMapping'),
        ).find(({ StartingPosition }) => StartingPosition) as { MaximumRecordAgeInSeconds: number };
        return 1_000 * MaximumRecordAgeInSeconds;
      }
      if (name !== 'ApproximateAgeOfOldestMessage') return 1_000_000;
      const retentionSeconds = number(`${dimensions.QueueName}`, 'MessageRetentionPeriod');
      // A dead letter may have spent most of its time in ClickQueue, which the metric leaves out.
      const isDead = dimensions.QueueName === 'ClickDLQ';
      return retentionSeconds - (isDead ? number('ClickQueue', 'MessageRetentionPeriod') : 0);
    };
    const goesOff = ({ ComparisonOperator, Threshold }: Alarm, value: number) =>
      ComparisonOperator === 'GreaterThanThreshold' ? value > Threshold : value >= Threshold;

    for (const [id, alarm] of Object.entries(alarms)) {
      const reaches = byAlarms.filter(({ reader }) => reader === id).map(reachOf);
      const ids = (alarm.Metrics ?? []).slice(1).map(({ Id }) => Id);
      const most = Object.fromEntries(ids.map((metric, index) => [metric, reaches[index]]));
      const value = alarm.Metrics ? measure(id, most) : (reaches[0] ?? Number.NaN);
      expect(goesOff(alarm, value), `${id} at its most: ${value}`).toBe(true);
      if (alarm.Metrics) expect(goesOff(alarm, measure(id, {})), `${id} without data`).toBe(false);
    }
  });

  test('ClicksDelayed watches every queue, and BusDeliveriesFailed every click rule and its dead-letter queue', () => {
    const watchedBy = (id: string) =>
      byAlarms
        .filter(({ reader }) => reader === id)
        .map(({ dimensions: { QueueName, RuleName } }) => RuleName ?? QueueName);
    const rules = suffixes.map((suffix) => read(`ClickRule${suffix}`).Name);

    expect(watchedBy('ClicksDelayed')).toEqual(suffixes.map((suffix) => `ClickQueue${suffix}`));
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
    // With eight queues, an alarm has nine of at most ten metrics.
    expect(watchedBy('BusDeliveriesFailed')).toEqual([...rules, 'ClickRuleDLQ']);
  });

  test('ClicksFailing and ClicksDelayed ignore an invalid click, which SQS redelivers after each visibility timeout', () => {
    const visibilitySeconds = number('ClickQueue', 'VisibilityTimeout');
    const failed = Math.ceil(300 / visibilitySeconds);

    expect(measure('ClicksFailing', { failed })).toBeLessThan(alarms.ClicksFailing?.Threshold ?? 0);
    // SQS ignores a message's age from its third receive on.
    expect(alarms.ClicksDelayed?.Threshold).toBeGreaterThan(2 * visibilitySeconds);
  });

  test.each<[string, string, Record<string, number | undefined>, number]>([
    ['the share of duplicates', 'DuplicateClicksHigh', { counted: 94, duplicates: 6 }, 6],
    ['nothing below 100 clicks', 'DuplicateClicksHigh', { counted: 0, duplicates: 0 }, 0],
    ['duplicates alone', 'DuplicateClicksHigh', { duplicates: 100 }, 100],
    ['clicks alone', 'DuplicateClicksHigh', { counted: 100 }, 0],
    ['all errors', 'ConnectionErrors', { integration: 2, execution: 3, checks: 1 }, 6],
    ['the oldest click', 'ClicksDelayed', { q0: 421 }, 421],
    ['failed pushes', 'PushFailures', { failed: 2, age: 30_000 }, 2],
    ['20 failed clicks', 'ClicksFailing', { failed: 20 }, 1],
    ['a crash', 'ClicksFailing', { failed: 19, errors: 1 }, 1],
    ['a click in ClickRuleDLQ', 'BusDeliveriesFailed', { kept: 1 }, 1],
    ['the share of failed requests', 'ApiErrors', { failed: 30, requests: 2_000 }, 1.5],
    ['nothing below 5 failed requests', 'ApiErrors', { failed: 4, requests: 4 }, 0],
  ])('measure %s: %s of %j is %d', (_, id, metrics, value) => {
    expect(measure(id, metrics)).toBe(value);
  });

  test("count API Gateway's own 429s in the access log as throttled", () => {
    const { Format } = read('HttpApiStage').AccessLogSettings as { Format: string };

    expects({
      ThrottledRequests: {
        LogGroupName: 'HttpApiLogGroup',
        FilterPattern: '{ ($.status = "429") && ($.functionMs = "-") }',
      },
    });
    const logged = { status: '$context.status', functionMs: '$context.integrationLatency' };
    expect(JSON.parse(Format)).toMatchObject(logged);
  });

  test('go to a topic without a key of its own, and to an e-mail address if there is one', () => {
    const address = name === 'local' ? '' : common.alarmEmail;

    expects({ AlarmEmail: { Endpoint: address } });
    // A key costs $1 a month, and two more after its first two rotations.
    expect(idsOf('KMS::Key')).toEqual([]);
    expect(template.Resources.AlarmEmail?.Condition).toBe('HasAlarmEmail');
    expect(has('HasAlarmEmail')).toBe(address !== '');
  });

  test("include a budget in prod for the stage's own monthly costs, by a tag that the stack has", async () => {
    const state = path.join(packageDirOf(name), 'serverless-state.json');
    const { service } = JSON.parse(await readFile(state, 'utf8'));

    expects({
      Budget: {
        Budget: {
          BudgetType: 'COST',
          TimeUnit: 'MONTHLY',
          CostFilters: { TagKeyValue: [`user:stack$click-tally-${stage}`] },
          BudgetLimit: { Amount: stage === 'prod' ? 100 : 0, Unit: 'USD' },
        },
      },
    });
    // CloudFormation can't replace a budget with a fixed name.
    expect(read('Budget').Budget).not.toHaveProperty('BudgetName');
    expect(service.provider.stackTags).toEqual({ stack: `click-tally-${stage}` });
    expect(template.Resources.Budget?.Condition).toBe('HasBudget');
    expect(has('HasBudget')).toBe(stage === 'prod');
  });
});

test('the runbook has the section that each alarm links to', async () => {
  const { readType } = await openStage('prod');
  const alarms = readType('CloudWatch::Alarm') as Record<string, Alarm>;
  const runbook = await readFile(path.join(projectDir, 'docs/runbook.md'), 'utf8');
  const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

  for (const [id, { AlarmDescription }] of Object.entries(alarms)) {
    expect(AlarmDescription).toMatch(new RegExp(` docs/runbook\\.md#${toDashed(id)}$`));
    // GitHub's anchor of a heading: lower case, with dashes for spaces.
    expect(headings.join('\n').toLowerCase().replaceAll(' ', '-')).toContain(toDashed(id));
  }
});
