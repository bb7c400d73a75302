import { addUpDeliverySeconds } from 'powertools-idempotency-transactional';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageService } from '../../../../local/engines/serverless.ts';
import { createTestDir } from '../../../../tests/helpers/test-dir.ts';
import {
  environmentOf,
  numberOf,
  ofType,
  propertiesOf,
  readPackage,
  resolve,
  type StageTemplate,
} from '../../../../tests/infrastructure/stage-template.ts';

interface Statement {
  Action: string[];
  Resource: string;
  Condition?: object;
}

const functionIds = ['BookOrdersLambdaFunction', 'CreateOrderLambdaFunction'];
const mappingId = 'BookOrdersEventSourceMappingSQSOrderQueue';
const packaged = {} as { orders: StageTemplate; withOtherSettings: StageTemplate };

beforeAll(async () => {
  await using dir = await createTestDir();
  const packageOrders = async (name: string, others: Record<string, number> = {}) => {
    const outDir = `${dir.path}/${name}`;
    const params = { jwtIssuer: 'https://issuer.example', jwtAudience: 'shop', ...others };
    await packageService({
      stage: 'dev',
      outDir,
      params,
      serviceDir: 'packages/powertools-idempotency-transactional/examples/orders',
    });
    return await readPackage(outDir);
  };
  const others = { maxReceiveCount: 7, queueRetentionSeconds: 60, deadLetterRetentionSeconds: 600 };
  [packaged.orders, packaged.withOtherSettings] = await Promise.all([
    packageOrders('orders'),
    packageOrders('others', others),
  ]);
});

const statementsOf = (roleId: string) => {
  const { Policies } = resolve(packaged.orders, propertiesOf(packaged.orders, roleId)) as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
};

test('a message is tried again when its function is over for sure', () => {
  const { orders } = packaged;
  const timeoutSeconds = numberOf(orders, 'BookOrdersLambdaFunction', 'Timeout');
  const windowSeconds = numberOf(orders, mappingId, 'MaximumBatchingWindowInSeconds');

  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  expect(numberOf(orders, 'OrderQueue', 'VisibilityTimeout')).toBeGreaterThanOrEqual(
    6 * timeoutSeconds + windowSeconds,
  );
});

test('only the failed orders of a batch come again, and in the end are dead letters', () => {
  const { orders, withOtherSettings } = packaged;

  expect(resolve(orders, propertiesOf(orders, mappingId))).toMatchObject({
    EventSourceArn: 'arn:OrderQueue',
    FunctionName: 'arn:BookOrdersLambdaFunction',
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  expect(resolve(orders, propertiesOf(orders, 'OrderQueue'))).toMatchObject({
    RedrivePolicy: { deadLetterTargetArn: 'arn:OrderDLQ', maxReceiveCount: 3 },
  });
  expect(propertiesOf(withOtherSettings, 'OrderQueue')).toMatchObject({
    RedrivePolicy: { maxReceiveCount: '7' },
  });
});

describe.each(functionIds)('%s', (id) => {
  test('derives the lifetime of a marker from the queues', () => {
    const read = (template: StageTemplate) => {
      const variables = environmentOf(template, id);
      expect(variables.QUEUE_RETENTION_SECONDS).toBe(
        `${propertiesOf(template, 'OrderQueue').MessageRetentionPeriod}`,
      );
      expect(variables.DEAD_LETTER_RETENTION_SECONDS).toBe(
        `${propertiesOf(template, 'OrderDLQ').MessageRetentionPeriod}`,
      );
      return addUpDeliverySeconds({
        queueRetentionSeconds: Number(variables.QUEUE_RETENTION_SECONDS),
        deadLetterRetentionSeconds: Number(variables.DEAD_LETTER_RETENTION_SECONDS),
      });
    };

    // 4 days in the queue, 14 dead, 4 after a redrive.
    expect(read(packaged.orders)).toBe(22 * 24 * 60 * 60);
    expect(read(packaged.withOtherSettings)).toBe(720);
  });
});

test('the table deletes what has expired', () => {
  expect(propertiesOf(packaged.orders, 'OrderTable')).toMatchObject({
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
  });
});

describe('each function may do what it does and nothing else', () => {
  const inTransaction = {
    'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
  };
  const common = [
    {
      Effect: 'Allow',
      Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      Resource: 'arn:OrderTable',
      Condition: inTransaction,
    },
    { Effect: 'Allow', Action: ['dynamodb:BatchGetItem'], Resource: 'arn:OrderTable' },
  ];
  const writeLog = (group: string) => ({
    Effect: 'Allow',
    Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    Resource: `arn:${group}`,
  });

  test('book-orders', () => {
    const receive = {
      Effect: 'Allow',
      Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      Resource: 'arn:OrderQueue',
    };
    expect(statementsOf('BookOrdersRole')).toEqual([
      writeLog('BookOrdersLogGroup'),
      ...common,
      receive,
    ]);
  });

  test('create-order', () => {
    expect(statementsOf('CreateOrderRole')).toEqual([writeLog('CreateOrderLogGroup'), ...common]);
  });

  test('with a role of its own', () => {
    const roles = functionIds.map((id) => propertiesOf(packaged.orders, id).Role);
    expect(resolve(packaged.orders, roles)).toEqual(['arn:BookOrdersRole', 'arn:CreateOrderRole']);
    expect(Object.keys(ofType(packaged.orders, 'AWS::IAM::Role'))).toHaveLength(2);
  });
});

test('the endpoint takes only requests with a token, which says who the caller is', () => {
  const read = (type: string) =>
    Object.values(ofType(packaged.orders, type)).map(({ Properties }) => Properties);

  expect(read('AWS::ApiGatewayV2::Route')).toMatchObject([
    { RouteKey: 'POST /orders', AuthorizationType: 'JWT' },
  ]);
  expect(read('AWS::ApiGatewayV2::Authorizer')).toMatchObject([
    { JwtConfiguration: { Issuer: 'https://issuer.example', Audience: ['shop'] } },
  ]);
});
