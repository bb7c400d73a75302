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
