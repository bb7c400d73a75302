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

  test("covers the stage's own monthly costs", () => {
    expect(properties.Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      CostFilters: { TagKeyValue: [`user:stack$click-tally-${stage}`] },
    });
    // CloudFormation can't replace a budget with a fixed name.
    expect(properties.Budget).not.toHaveProperty('BudgetName');
  });

  test('selects costs by a tag that the stack has', async () => {
    const state = path.join(packageDirOf(stage), 'serverless-state.json');
    const { service } = JSON.parse(await readFile(state, 'utf8'));

    expect(service.provider.stackTags).toEqual({ stack: `click-tally-${stage}` });
  });

  test("may publish to AlarmTopic, unlike other accounts' budgets", () => {
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

  test('exists only in prod by default', () => {
    const dollars = stage === 'prod' ? 100 : 0;

    expect(template.Resources.Budget?.Condition).toBe('HasBudget');
    expect(template.Conditions.HasBudget).toEqual({
      'Fn::Not': [{ 'Fn::Equals': [`budget ${dollars}`, 'budget 0'] }],
    });
    expect(properties.Budget.BudgetLimit).toEqual({ Amount: dollars, Unit: 'USD' });
  });
});
