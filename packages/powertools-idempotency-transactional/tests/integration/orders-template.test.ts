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
  Policies: { PolicyDocument: { Statement: object[] } }[];
}

const mappingId = 'BookOrdersEventSourceMappingSQSOrderQueue';
let orders: StageTemplate;
const read = (id: string) => resolve(orders, propertiesOf(orders, id));

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
  expect(read(mappingId)).toMatchObject({
    EventSourceArn: 'arn:OrderQueue',
    FunctionName: 'arn:BookOrdersLambdaFunction',
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  expect(read('OrderQueue')).toMatchObject({
    MessageRetentionPeriod: '60',
    RedrivePolicy: { deadLetterTargetArn: 'arn:OrderDLQ', maxReceiveCount: '7' },
  });
  expect(read('OrderDLQ')).toMatchObject({ MessageRetentionPeriod: '600' });
});

const allow = (Action: string[], Resource: string) => ({ Effect: 'Allow', Action, Resource });
const queueActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

test.each([
  ['BookOrders', [allow(queueActions, 'arn:OrderQueue')]],
  ['CreateOrder', []],
])(
  '%s keeps markers as long as the queues need, and may do what it does and nothing else',
  (name, others) => {
    const variables = environmentOf(orders, `${name}LambdaFunction`);
    const { Policies } = read(`${name}Role`) as unknown as Role;

    const seconds = addUpDeliverySeconds({
      queueRetentionSeconds: Number(variables.QUEUE_RETENTION_SECONDS),
      deadLetterRetentionSeconds: Number(variables.DEAD_LETTER_RETENTION_SECONDS),
    });
    expect(seconds).toBe(60 + 600 + 60);
    expect(read(`${name}LambdaFunction`)).toMatchObject({ Role: `arn:${name}Role` });
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
  },
);

test('the table deletes what has expired, and the endpoint takes only requests with a token', () => {
  const propertiesOfType = (type: string) =>
    Object.values(ofType(orders, type)).map(({ Properties }) => Properties);
  const JwtConfiguration = { Issuer: 'https://issuer.example', Audience: ['shop'] };

  expect(read('OrderTable')).toMatchObject({
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
  });
  expect(propertiesOfType('AWS::ApiGatewayV2::Route')).toMatchObject([
    { RouteKey: 'POST /orders', AuthorizationType: 'JWT' },
  ]);
  expect(propertiesOfType('AWS::ApiGatewayV2::Authorizer')).toMatchObject([{ JwtConfiguration }]);
});
