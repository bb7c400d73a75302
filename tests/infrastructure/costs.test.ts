import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isTrue,
  packageDirOf,
  propertiesOf,
  readStage,
  resolve,
  stages,
} from './stage-template.ts';

describe.each(stages)('the budget of %s', async (stage) => {
  const template = await readStage(stage);
  const properties = resolve(template, propertiesOf(template, 'Budget')) as {
    Budget: Record<string, unknown>;
    NotificationsWithSubscribers: { Notification: object; Subscribers: object[] }[];
  };

  test("covers the stage's own monthly costs, by a tag that the stack has", async () => {
    const state = path.join(packageDirOf(stage), 'serverless-state.json');
    const { service } = JSON.parse(await readFile(state, 'utf8'));

    expect(properties.Budget).toMatchObject({
      ...{ BudgetType: 'COST', TimeUnit: 'MONTHLY' },
      CostFilters: { TagKeyValue: [`user:stack$click-tally-${stage}`] },
      BudgetLimit: { Amount: stage === 'prod' ? 100 : 0, Unit: 'USD' },
    });
    // CloudFormation can't replace a budget with a fixed name.
    expect(properties.Budget).not.toHaveProperty('BudgetName');
    expect(service.provider.stackTags).toEqual({ stack: `click-tally-${stage}` });
    expect(template.Resources.Budget?.Condition).toBe('HasBudget');
    expect(isTrue(template, 'HasBudget')).toBe(stage === 'prod');
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
});
