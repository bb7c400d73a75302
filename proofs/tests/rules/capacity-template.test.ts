import { describe, expect, test } from 'vitest';
import { readTemplate } from '../../../local/engines/template.ts';
import { packageDirOf, type Stage } from '../../../tests/infrastructure/stage-template.ts';
import { dollarsPerMillion, type Usage } from '../../capacity/costs.ts';
import { readStageCosts, type StageCosts } from '../../capacity/stage-costs.ts';

const readCosts = async (stage: Stage) =>
  readStageCosts(await readTemplate(packageDirOf(stage)), { links: 1, hotShare: 0 });

/** 1,000 clicks a second for 1,000 seconds. An invocation counts 1,000 of them in 0.2 s. */
const busy: Usage = {
  ...{ clicks: 1_000_000, seconds: 1_000, queueRequests: 220_000 },
  ...{ invocations: 1_000, invocationSeconds: 200, memoryMb: 1_024 },
  ...{ writeUnits: 250_000, readUnits: 0, markerBytes: 10_000_000, logBytes: 400_000 },
};

/** A click every ten seconds, each alone in its batch. */
const quiet: Usage = {
  ...{ clicks: 100, seconds: 1_000, queueRequests: 400 },
  ...{ invocations: 100, invocationSeconds: 5, memoryMb: 1_024 },
  ...{ writeUnits: 600, readUnits: 0, markerBytes: 15_000, logBytes: 40_000 },
};

const addUp = (usage: Usage, costs: StageCosts, names: string[]) =>
  dollarsPerMillion(usage, costs)
    .filter(({ name }) => names.includes(name))
    .reduce((sum, { dollarsPerMillion }) => sum + dollarsPerMillion, 0);

const observe = (usage: Usage, costs: StageCosts) => addUp(usage, costs, ['traces', 'logs']);
const count = (usage: Usage, costs: StageCosts) => addUp(usage, costs, ['writes', 'aggregator']);

describe.each(['staging', 'prod'] as const)('in %s,', async (stage) => {
  const costs = await readCosts(stage);

  test.each([
    ['busy', busy],
    ['quiet', quiet],
  ])('traces and logs cost less than counting on a %s stage', (_, usage) => {
    expect(observe(usage, costs)).toBeLessThan(count(usage, costs));
  });
});

test('traces and logs cost more than counting in dev, which logs every invocation and traces some', async () => {
  const costs = await readCosts('dev');

  expect(observe(busy, costs)).toBeGreaterThan(count(busy, costs));
  expect(observe(quiet, costs)).toBeGreaterThan(count(quiet, costs));
});

test('the cost of prod includes its alarms, metrics and dashboard', async () => {
  const costs = await readCosts('prod');

  // docs/settings.md adds up these costs at rest.
  expect(costs).toMatchObject({ alarmMetrics: 48, anomalyAlarms: 1, dashboards: 1, keys: 1 });
  // Twelve in the code, and the access log's throttled requests.
  expect(costs.customMetrics).toBe(13);
  // 1 day on the bus, 4 in the queue, 14 in the dead-letter queue and 4 in the queue again.
  expect(costs.markerTtlSeconds).toBe(23 * 86_400);
});
