import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { mappingId, openStage, packaged, type Stage } from './stage-template.ts';

interface Throttle {
  ThrottlingRateLimit: number;
  ThrottlingBurstLimit: number;
}
interface ApiStage {
  DefaultRouteSettings: Throttle;
  RouteSettings: Record<string, Throttle>;
}

// All APIs of an account share these in most Regions.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
const accountRate = 10_000;
const accountBurst = 5_000;

// https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
const accountConcurrency = 1_000;
const unreservedConcurrency = 100;

const add = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

describe.each(packaged)('the throttles of %s', async (name) => {
  const { template, read, readType } = await openStage(name);
  const { RouteSettings, DefaultRouteSettings } = read<ApiStage>('HttpApiStage');

  // API Gateway keeps the settings of a removed route and then rejects all others. It answers "Unable
  // to find Route by key" if a stage is created before its routes.
  test('are set for every route that exists on all stages and is used often, and created after it', () => {
    const usesDefault = /\/links\/overview$|\/\{rest\+\}|\/api\/keys|\/robots\.txt|\/favicon\.ico/;
    const lasting = Object.entries(readType('ApiGatewayV2::Route')).filter(
      ([, { ApiId, RouteKey }]) => ApiId === 'HttpApi' && !usesDefault.test(`${RouteKey}`),
    );
    const keys = lasting.map(([, { RouteKey }]) => `${RouteKey}`);

    expect(keys).toHaveLength(19);
    expect(Object.keys(RouteSettings).toSorted()).toEqual(keys.toSorted());
    const ids = lasting.map(([id]) => id);
    expect(template.Resources.HttpApiStage?.DependsOn).toEqual(expect.arrayContaining(ids));
  });

  test("add up to no more than the account's limits", () => {
    const live = read<ApiStage>('WebsocketsDeploymentStage').DefaultRouteSettings;
    const all = [...Object.values(RouteSettings), DefaultRouteSettings, live];
    const rates = all.map((throttle) => throttle.ThrottlingRateLimit);
    const bursts = all.map((throttle) => throttle.ThrottlingBurstLimit);

    expect(Math.min(...rates, ...bursts)).toBeGreaterThan(0);
    expect(add(rates)).toBeLessThan(accountRate);
    expect(add(bursts)).toBeLessThanOrEqual(accountBurst);
  });
});

const open = (stages: Stage[]) => Promise.all(stages.map(openStage));
type Opened = Awaited<ReturnType<typeof openStage>>;
const reservedBy = ({ readType }: Opened) =>
  Object.values(readType('Lambda::Function')).map((one) => one.ReservedConcurrentExecutions);

// A new account may have a limit of 10, none of which Lambda lets it reserve.
test('local and dev reserve no concurrency', async () => {
  const reserved = (await open(['local', 'dev'])).flatMap(reservedBy);

  expect(new Set(reserved)).toEqual(new Set([undefined]));
});

test("staging and prod reserve concurrency for every function, and all of the aggregator's batches", async () => {
  const stages = await open(['staging', 'prod']);
  const reserved = stages.flatMap(reservedBy).map(Number);

  expect(Math.min(...reserved)).toBeGreaterThan(0);
  expect(accountConcurrency - add(reserved)).toBeGreaterThanOrEqual(unreservedConcurrency);
  // Otherwise Lambda throttles deliveries, each of which uses up an attempt.
  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
  for (const { number, suffixes } of stages) {
    const batches = number(mappingId, 'ScalingConfig', 'MaximumConcurrency') * suffixes.length;
    const ofAggregator = number('AggregateClicksLambdaFunction', 'ReservedConcurrentExecutions');
    expect(ofAggregator).toBeGreaterThanOrEqual(batches);
  }
});

test('docs/settings.md says how much concurrency staging and prod reserve', async () => {
  const [staging = 0, prod = 0] = (await open(['staging', 'prod'])).map((stage) =>
    add(reservedBy(stage).map(Number)),
  );
  const text = await readFile(path.join(projectDir, 'docs/settings.md'), 'utf8');
  const page = text.replaceAll(/\s+/g, ' ');

  expect(page).toContain(`${staging} and ${prod} in total`);
  expect(page).toContain(`at least ${prod + unreservedConcurrency}, and both stages together`);
  expect(page).toContain(`stages together ${staging + prod + unreservedConcurrency}.`);
});
