import { addUpDeliverySeconds } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { packageService } from '../../../../local/engines/serverless.ts';
import { createTestDir } from '../../../../tests/helpers/test-dir.ts';
import { openPackage } from '../../../../tests/infrastructure/stage-template.ts';

const mappingId = 'BookOrdersEventSourceMappingSQSOrderQueue';
const allow = (Action: string[], Resource: string) => ({ Effect: 'Allow', Action, Resource });

test("the example's markers outlive its queues, and its role allows writes in transactions only", async () => {
  await using dir = await createTestDir();
  const signIn = { jwtIssuer: 'https://issuer.example', jwtAudience: 'shop' };
  await packageService({
    stage: 'dev',
    outDir: dir.path,
    params: { ...signIn, queueRetentionSeconds: 60, deadLetterRetentionSeconds: 600 },
    serviceDir: 'packages/powertools-idempotency-transactional/examples/orders',
  });
  const { read, number, environment } = await openPackage(dir.path);
  const variables = environment('BookOrders');

  const seconds = addUpDeliverySeconds({
    queueRetentionSeconds: Number(variables.QUEUE_RETENTION_SECONDS),
    deadLetterRetentionSeconds: Number(variables.DEAD_LETTER_RETENTION_SECONDS),
  });
  expect(seconds).toBe(60 + 600 + 60);
  expect(read('OrderQueue')).toMatchObject({ MessageRetentionPeriod: '60' });
  expect(read('OrderDLQ')).toMatchObject({ MessageRetentionPeriod: '600' });
  expect(read('OrderTable')).toMatchObject({
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
  });
  expect(read(mappingId)).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  expect(number('OrderQueue', 'VisibilityTimeout')).toBeGreaterThanOrEqual(
    6 * number('BookOrdersLambdaFunction', 'Timeout') +
      number(mappingId, 'MaximumBatchingWindowInSeconds'),
  );
  const ofTable = {
    ...allow(['dynamodb:PutItem', 'dynamodb:UpdateItem'], 'arn:OrderTable'),
    Condition: {
      'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
    },
  };
  expect(read('BookOrdersRole')).toMatchObject({
    Policies: [{ PolicyDocument: { Statement: expect.arrayContaining([ofTable]) } }],
  });
});
