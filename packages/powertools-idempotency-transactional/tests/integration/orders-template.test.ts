import { addUpDeliverySeconds } from 'powertools-idempotency-transactional';
import { beforeAll, expect, test } from 'vitest';
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

interface Role {
  Policies: { PolicyDocument: { Statement: { Sid?: string }[] } }[];
}

const mappingId = 'BookOrdersEventSourceMappingSQSOrderQueue';
let orders: StageTemplate;

beforeAll(async () => {
  await using dir = await createTestDir();
  await packageService({
    stage: 'dev',
    outDir: dir.path,
    params: {
      ...{ jwtIssuer: 'https://issuer.example', jwtAudience: 'shop', maxReceiveCount: 7 },
      ...{ queueRetentionSeconds: 60, deadLetterRetentionSeconds: 600 },
    },
    serviceDir: 'packages/powertools-idempotency-transactional/examples/orders',
  });
  orders = await readPackage(dir.path);
});

test('only failed orders come again, when their function is over for sure, and in the end are dead letters', () => {
  const timeoutSeconds = numberOf(orders, 'BookOrdersLambdaFunction', 'Timeout');
  const windowSeconds = numberOf(orders, mappingId, 'MaximumBatchingWindowInSeconds');

  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  expect(numberOf(orders, 'OrderQueue', 'VisibilityTimeout')).toBeGreaterThanOrEqual(
    6 * timeoutSeconds + windowSeconds,
  );
  expect(resolve(orders, propertiesOf(orders, mappingId))).toMatchObject({
    EventSourceArn: 'arn:OrderQueue',
    FunctionName: 'arn:BookOrdersLambdaFunction',
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  expect(resolve(orders, propertiesOf(orders, 'OrderQueue'))).toMatchObject({
    RedrivePolicy: { deadLetterTargetArn: 'arn:OrderDLQ', maxReceiveCount: '7' },
  });
});

test.each(['BookOrdersLambdaFunction', 'CreateOrderLambdaFunction'])(
  '%s derives the lifetime of a marker from the queues, and the table deletes what has expired',
  (id) => {
    const variables = environmentOf(orders, id);
    const seconds = addUpDeliverySeconds({
      queueRetentionSeconds: Number(variables.QUEUE_RETENTION_SECONDS),
      deadLetterRetentionSeconds: Number(variables.DEAD_LETTER_RETENTION_SECONDS),
    });

    expect(seconds).toBe(60 + 600 + 60);
    expect(propertiesOf(orders, 'OrderQueue').MessageRetentionPeriod).toBe('60');
    expect(propertiesOf(orders, 'OrderDLQ').MessageRetentionPeriod).toBe('600');
    expect(propertiesOf(orders, 'OrderTable')).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  },
);

const allow = (Action: string[], Resource: string) => ({ Effect: 'Allow', Action, Resource });

test.each([
  [
    'BookOrders',
    [
      allow(
        ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        'arn:OrderQueue',
      ),
    ],
  ],
  ['CreateOrder', []],
])('%s has a role of its own, which may do what it does and nothing else', (name, others) => {
  const { Role } = propertiesOf(orders, `${name}LambdaFunction`);
  const { Policies } = resolve(orders, propertiesOf(orders, `${name}Role`)) as unknown as Role;

  expect(resolve(orders, Role)).toBe(`arn:${name}Role`);
  expect(Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)).toEqual([
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], `arn:${name}LogGroup`),
    {
      ...allow(['dynamodb:PutItem', 'dynamodb:UpdateItem'], 'arn:OrderTable'),
      Condition: {
        'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
      },
    },
    allow(['dynamodb:BatchGetItem'], 'arn:OrderTable'),
    ...others,
  ]);
});

test('the endpoint takes only requests with a token, which says who the caller is', () => {
  const read = (type: string) =>
    Object.values(ofType(orders, type)).map(({ Properties }) => Properties);
  const JwtConfiguration = { Issuer: 'https://issuer.example', Audience: ['shop'] };

  expect(read('AWS::ApiGatewayV2::Route')).toMatchObject([
    { RouteKey: 'POST /orders', AuthorizationType: 'JWT' },
  ]);
  expect(read('AWS::ApiGatewayV2::Authorizer')).toMatchObject([{ JwtConfiguration }]);
});
