import { createRequire } from 'node:module';
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

// What all APIs of an account share in most Regions: requests a second, and at once.
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

  // API Gateway keeps the settings of a route that is gone, and then takes no others.
  test('are set for every route of the HTTP API that each stage has', () => {
    const routeKeys = routesOf(template).map(([, { Properties }]) => `${Properties.RouteKey}`);
    const lasting = routeKeys.filter((routeKey) => !routeKey.includes('/live/try'));

    expect(lasting.length).toBe(9);
    expect(Object.keys(throttles).toSorted()).toEqual(lasting.toSorted());
    for (const throttle of Object.values(throttles)) {
      expect(throttle.ThrottlingRateLimit).toBeGreaterThan(0);
      expect(throttle.ThrottlingBurstLimit).toBeGreaterThan(0);
    }
  });

  // API Gateway answers "Unable to find Route by key" to a stage that comes before its routes.
  test('wait for every route that they name', () => {
    const named = routesOf(template).filter(
      ([, { Properties }]) => `${Properties.RouteKey}` in throttles,
    );

    expect(template.Resources.HttpApiStage?.DependsOn).toEqual(
      expect.arrayContaining(named.map(([id]) => id)),
    );
  });

  test('leave visitors, owners and the page enough of the account, whoever else comes', () => {
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
  // A new account may have 10 in all, and Lambda refuses to reserve any of them.
  test.each(['local', 'dev'] as const)('is none in %s', async (stage) => {
    const reservations = Object.values(reservationsOf(await readStage(stage)));

    expect(reservations.filter((reserved) => reserved !== undefined)).toEqual([]);
  });

  test.each(['staging', 'prod'] as const)('is set for every function of %s', async (stage) => {
    const reservations = reservationsOf(await readStage(stage));

    for (const [id, reserved] of Object.entries(reservations)) {
      expect(reserved, id).toBeGreaterThan(0);
    }
  });

  test('is only for the functions that it names, if it names no others', async () => {
    const limit: (tools: object) => Promise<{ extensions: object }> = createRequire(
      import.meta.url,
    )('../../infra/limits.cjs');
    const params = { 'param:requestsPerSecond': {}, 'param:reservedConcurrency': { first: 5 } };

    const { extensions } = await limit({
      resolveConfigurationProperty: async () => [{ first: {} }, { second: {} }],
      resolveVariable: async (name: keyof typeof params) => params[name],
    });

    expect(extensions).toMatchObject({
      FirstLambdaFunction: { Properties: { ReservedConcurrentExecutions: 5 } },
    });
    expect(extensions).not.toHaveProperty('SecondLambdaFunction');
  });

  // Otherwise Lambda throttles deliveries, each of which uses up an attempt.
  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
  test.each(['staging', 'prod'] as const)(
    'of the aggregator of %s is enough for all its batches',
    async (stage) => {
      const template = await readStage(stage);

      const batches = queueSuffixesOf(stage).map((suffix) =>
        numberOf(template, `${mappingId}${suffix}`, 'ScalingConfig', 'MaximumConcurrency'),
      );

      expect(reservationsOf(template)[aggregatorId]).toBeGreaterThanOrEqual(add(batches));
    },
  );

  test('of staging and prod together leaves an account what Lambda wants unreserved', async () => {
    const reserved = await Promise.all(
      (['staging', 'prod'] as const).map(async (stage) =>
        Object.values(reservationsOf(await readStage(stage))).map(Number),
      ),
    );

    expect(accountConcurrency - add(reserved.flat())).toBeGreaterThanOrEqual(unreservedConcurrency);
  });
});
