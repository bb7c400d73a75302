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

  // API Gateway keeps the settings of a removed route and then rejects all others.
  test('are set for every route that exists on all stages and is used often', () => {
    const routeKeys = routesOf(template).map(([, { Properties }]) => `${Properties.RouteKey}`);
    const usesDefault = ['/{rest+}', '/robots.txt', '/favicon.ico'];
    const lasting = routeKeys.filter((key) => !usesDefault.some((path) => key.includes(path)));

    expect(lasting.length).toBe(10);
    expect(Object.keys(throttles).toSorted()).toEqual(lasting.toSorted());
    for (const throttle of Object.values(throttles)) {
      expect(throttle.ThrottlingRateLimit).toBeGreaterThan(0);
      expect(throttle.ThrottlingBurstLimit).toBeGreaterThan(0);
    }
  });

  // API Gateway answers "Unable to find Route by key" if a stage is created before its routes.
  test('are created after the routes that they name', () => {
    const named = routesOf(template).filter(
      ([, { Properties }]) => `${Properties.RouteKey}` in throttles,
    );

    expect(template.Resources.HttpApiStage?.DependsOn).toEqual(
      expect.arrayContaining(named.map(([id]) => id)),
    );
  });

  test("add up to no more than the account's limits", () => {
    const all = [
      ...Object.values(throttles),
      throttleOf(template, 'HttpApiStage'),
      throttleOf(template, 'WebsocketsDeploymentStage'),
    ];

    expect(add(all.map((throttle) => throttle.ThrottlingRateLimit))).toBeLessThan(accountRate);
    expect(add(all.map((throttle) => throttle.ThrottlingBurstLimit))).toBeLessThanOrEqual(
      accountBurst,
    );
  });
});

const reservationsOf = (template: StageTemplate) =>
  Object.fromEntries(
    Object.entries(ofType(template, 'AWS::Lambda::Function')).map(([id, { Properties }]) => [
      id,
      Properties.ReservedConcurrentExecutions as number | undefined,
    ]),
  );

describe('the reserved concurrency', () => {
  // A new account may have a limit of 10, none of which Lambda lets it reserve.
  test.each(['local', 'dev'] as const)('is not set in %s', async (stage) => {
    const reservations = Object.values(reservationsOf(await readStage(stage)));

    expect(reservations.filter((reserved) => reserved !== undefined)).toEqual([]);
  });

  test.each(['staging', 'prod'] as const)('is set for every function of %s', async (stage) => {
    const reservations = reservationsOf(await readStage(stage));

    for (const [id, reserved] of Object.entries(reservations)) {
      expect(reserved, id).toBeGreaterThan(0);
    }
  });

  // Otherwise Lambda throttles deliveries, each of which uses up an attempt.
  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
  test.each(['staging', 'prod'] as const)(
    "covers all of the aggregator's batches in %s",
    async (stage) => {
      const template = await readStage(stage);

      const batches = queueSuffixesOf(stage).map((suffix) =>
        numberOf(template, `${mappingId}${suffix}`, 'ScalingConfig', 'MaximumConcurrency'),
      );

      expect(reservationsOf(template)[aggregatorId]).toBeGreaterThanOrEqual(add(batches));
    },
  );

  test('of staging and prod together leaves the unreserved part that Lambda requires', async () => {
    const reserved = await Promise.all(
      (['staging', 'prod'] as const).map(async (stage) =>
        Object.values(reservationsOf(await readStage(stage))).map(Number),
      ),
    );

    expect(accountConcurrency - add(reserved.flat())).toBeGreaterThanOrEqual(unreservedConcurrency);
  });
});
