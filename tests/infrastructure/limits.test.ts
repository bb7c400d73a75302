import { describe, expect, test } from 'vitest';
import {
  aggregatorId,
  mappingId,
  numberOf,
  ofType,
  packaged,
  propertiesOf,
  queueSuffixesOf,
  readStage,
  resolve,
  type Stage,
  type StageTemplate,
} from './stage-template.ts';

interface Throttle {
  ThrottlingRateLimit: number;
  ThrottlingBurstLimit: number;
}

// All APIs of an account share these in most Regions.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
const accountRate = 10_000;
const accountBurst = 5_000;

// https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
const accountConcurrency = 1_000;
const unreservedConcurrency = 100;

const routesOf = (template: StageTemplate) =>
  Object.entries(ofType(template, 'AWS::ApiGatewayV2::Route')).filter(
    ([, { Properties }]) => resolve(template, Properties.ApiId) === 'HttpApi',
  );

const throttlesOf = (template: StageTemplate) =>
  propertiesOf(template, 'HttpApiStage').RouteSettings as Record<string, Throttle>;

const throttleOf = (template: StageTemplate, stageId: string) =>
  propertiesOf(template, stageId).DefaultRouteSettings as Throttle;

const add = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

describe.each(packaged)('the throttles of %s', async (name) => {
  const template = await readStage(name);
  const throttles = throttlesOf(template);
  const routes = routesOf(template).map(([id, { Properties }]) => ({
    id,
    key: `${Properties.RouteKey}`,
  }));

  // API Gateway keeps the settings of a removed route and then rejects all others. It answers "Unable
  // to find Route by key" if a stage is created before its routes.
  test('are set for every route that exists on all stages and is used often, and created after it', () => {
    const usesDefault = /\/\{rest\+\}|\/robots\.txt|\/favicon\.ico/;
    const lasting = routes.filter(({ key }) => !usesDefault.test(key));

    expect(lasting).toHaveLength(10);
    expect(Object.keys(throttles).toSorted()).toEqual(lasting.map(({ key }) => key).toSorted());
    expect(template.Resources.HttpApiStage?.DependsOn).toEqual(
      expect.arrayContaining(lasting.map(({ id }) => id)),
    );
  });

  test("add up to no more than the account's limits", () => {
    const all = [
      ...Object.values(throttles),
      throttleOf(template, 'HttpApiStage'),
      throttleOf(template, 'WebsocketsDeploymentStage'),
    ];
    const rates = all.map((throttle) => throttle.ThrottlingRateLimit);
    const bursts = all.map((throttle) => throttle.ThrottlingBurstLimit);

    expect(Math.min(...rates, ...bursts)).toBeGreaterThan(0);
    expect(add(rates)).toBeLessThan(accountRate);
    expect(add(bursts)).toBeLessThanOrEqual(accountBurst);
  });
});

const reservationsOf = async (stage: Stage) =>
  Object.fromEntries(
    Object.entries(ofType(await readStage(stage), 'AWS::Lambda::Function')).map(
      ([id, { Properties }]) => [id, Properties.ReservedConcurrentExecutions],
    ),
  );

describe('the reserved concurrency', () => {
  // A new account may have a limit of 10, none of which Lambda lets it reserve.
  test.each(['local', 'dev'] as const)('is not set in %s', async (stage) => {
    expect(new Set(Object.values(await reservationsOf(stage)))).toEqual(new Set([undefined]));
  });

  // Otherwise Lambda throttles deliveries, each of which uses up an attempt.
  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
  test.each(['staging', 'prod'] as const)(
    "is set for every function of %s, and covers all of the aggregator's batches",
    async (stage) => {
      const [template, reserved] = [await readStage(stage), await reservationsOf(stage)];
      const batches = queueSuffixesOf(template).map((suffix) =>
        numberOf(template, `${mappingId}${suffix}`, 'ScalingConfig', 'MaximumConcurrency'),
      );

      for (const [id, number] of Object.entries(reserved)) expect(number, id).toBeGreaterThan(0);
      expect(reserved[aggregatorId]).toBeGreaterThanOrEqual(add(batches));
    },
  );

  test('of staging and prod together leaves the unreserved part that Lambda requires', async () => {
    const both = await Promise.all((['staging', 'prod'] as const).map(reservationsOf));
    const reserved = both.flatMap((numbers) => Object.values(numbers).map(Number));

    expect(accountConcurrency - add(reserved)).toBeGreaterThanOrEqual(unreservedConcurrency);
  });
});
