import { describe, expect, test } from 'vitest';
import { readTemplate } from '../../../local/engines/template.ts';
import { packageDirOf, type Stage } from '../../../tests/infrastructure/stage-template.ts';
import { priceUsage, type Usage } from '../../capacity/costs.ts';
import { readStageCosts } from '../../capacity/stage-costs.ts';

const readCosts = async (stage: Stage) => readStageCosts(await readTemplate(packageDirOf(stage)));

const law = { links: 1, hotShare: 0 };

/** 1,000 clicks a second for 1,000 seconds. An invocation counts 1,000 of them in 0.2 s. */
const busy: Usage = {
  ...{ law, clicks: 1_000_000, seconds: 1_000, queueRequests: 220_000 },
  ...{ invocations: 1_000, invocationSeconds: 200, memoryMb: 1_024 },
  ...{ writeUnits: 250_000, markerBytes: 10_000_000, logBytes: 400_000 },
};

/** A click every ten seconds, each alone in its batch. */
const quiet: Usage = {
  ...{ law, clicks: 100, seconds: 1_000, queueRequests: 400 },
  ...{ invocations: 100, invocationSeconds: 5, memoryMb: 1_024 },
  ...{ writeUnits: 600, markerBytes: 15_000, logBytes: 40_000 },
};

describe.each(['staging', 'prod'] as const)('in %s,', async (stage) => {
  const costs = await readCosts(stage);

  test.each([
    ['busy', busy],
    ['quiet', quiet],
  ])('logs cost less than counting on a %s stage', (_, usage) => {
    const { logs, writes, aggregator } = priceUsage(usage, costs);

    expect(logs).toBeLessThan(writes + aggregator);
  });
});

test("a stage with traces or Lambda's own log lines, such as dev, has no price", async () => {
  await expect(readCosts('dev')).rejects.toThrow(/^expected ResolveLink.+ untraced.+; got/);
});

test('the cost of prod includes its alarms, metrics and dashboard', async () => {
  const costs = await readCosts('prod');

  // docs/settings.md adds up these costs at rest.
  expect(costs).toMatchObject({ alarmMetrics: 22, dashboards: 0, keys: 1 });
  // Six in the code, and the access log's throttled requests.
  expect(costs.customMetrics).toBe(7);
  // 1 day on the bus, 4 in the queue, 14 in the dead-letter queue and 4 in the queue again.
  expect(costs.markerTtlSeconds).toBe(23 * 86_400);
});
