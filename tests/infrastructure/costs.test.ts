import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageDirOf, propertiesOf, readStage, resolve, stages } from './stage-template.ts';

describe.each(stages)('the budget of %s', async (stage) => {
  const template = await readStage(stage);
  const properties = resolve(template, propertiesOf(template, 'Budget')) as {
    Budget: Record<string, unknown>;
    NotificationsWithSubscribers: { Notification: object; Subscribers: object[] }[];
  };

  test('is of what the stage alone costs in a month', () => {
    expect(properties.Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      CostFilters: { TagKeyValue: [`user:stack$click-tally-${stage}`] },
    });
    // CloudFormation could not replace a budget that has a name.
    expect(properties.Budget).not.toHaveProperty('BudgetName');
  });

  test('counts by a tag that a deployment gives to the stack', async () => {
    const state = path.join(packageDirOf(stage), 'serverless-state.json');
    const { service } = JSON.parse(await readFile(state, 'utf8'));

    expect(service.provider.stackTags).toEqual({ stack: `click-tally-${stage}` });
  });

  test('notifies AlarmTopic at 80 %, at 100 %, and when 100 % is to be expected', () => {
    const thresholds = { ComparisonOperator: 'GREATER_THAN', ThresholdType: 'PERCENTAGE' };
    const onTopic = [{ SubscriptionType: 'SNS', Address: 'AlarmTopic' }];

    expect(properties.NotificationsWithSubscribers).toEqual([
      {
        Notification: { ...thresholds, NotificationType: 'ACTUAL', Threshold: 80 },
        Subscribers: onTopic,
      },
      {
        Notification: { ...thresholds, NotificationType: 'ACTUAL', Threshold: 100 },
        Subscribers: onTopic,
      },
      {
        Notification: { ...thresholds, NotificationType: 'FORECASTED', Threshold: 100 },
        Subscribers: onTopic,
      },
    ]);
    expect(template.Resources.Budget?.DependsOn).toEqual(['AlarmTopicPolicy']);
  });

  test('may publish to AlarmTopic, but no budget of another account may', () => {
    const own = {
      Effect: 'Allow',
      Principal: { Service: 'budgets.amazonaws.com' },
      Condition: {
        StringEquals: { 'aws:SourceAccount': '123456789012' },
        ArnLike: { 'aws:SourceArn': 'arn:aws:budgets::123456789012:*' },
      },
    };

    expect(resolve(template, propertiesOf(template, 'AlarmTopicPolicy'))).toHaveProperty(
      'PolicyDocument.Statement.1',
      expect.objectContaining({ ...own, Action: 'sns:Publish' }),
    );
    expect(resolve(template, propertiesOf(template, 'AlarmTopicKey'))).toHaveProperty(
      'KeyPolicy.Statement.2',
      expect.objectContaining({ ...own, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'] }),
    );
  });

  test('exists in prod only, unless a stage has another amount', () => {
    const dollars = stage === 'prod' ? 100 : 0;

    expect(template.Resources.Budget?.Condition).toBe('HasBudget');
    expect(template.Conditions.HasBudget).toEqual({
      'Fn::Not': [{ 'Fn::Equals': [`budget ${dollars}`, 'budget 0'] }],
    });
    expect(properties.Budget.BudgetLimit).toEqual({ Amount: dollars, Unit: 'USD' });
  });
});

describe.each(stages)('the deployment bucket of %s', async (stage) => {
  const template = await readStage(stage);

  test('is encrypted, keeps old versions for a while, and is never public', () => {
    expect(propertiesOf(template, 'ServerlessDeploymentBucket')).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
        ],
      },
      VersioningConfiguration: { Status: 'Enabled' },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      LifecycleConfiguration: {
        Rules: [{ Status: 'Enabled', NoncurrentVersionExpiration: { NoncurrentDays: 90 } }],
      },
    });
  });

  test('answers nobody without TLS', () => {
    const bucket = 'arn:aws:s3:::ServerlessDeploymentBucket';

    expect(resolve(template, propertiesOf(template, 'ServerlessDeploymentBucketPolicy'))).toEqual({
      Bucket: 'ServerlessDeploymentBucket',
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 's3:*',
            Resource: [`${bucket}/*`, bucket],
            Condition: { Bool: { 'aws:SecureTransport': false } },
          },
        ],
      },
    });
  });
});
