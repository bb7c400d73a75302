import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { packageService } from '../../../local/engines/serverless.ts';
import { createTestDir } from '../../../tests/helpers/test-dir.ts';
import { openPackage, openStage } from '../../../tests/infrastructure/stage-template.ts';
import { assumptions } from '../../capacity/assumptions.ts';
import { limits } from '../../capacity/limits.ts';
import { type PriceName, prices } from '../../capacity/prices.ts';
import { standbyAlarmMetrics } from '../../capacity/standby-price.ts';

interface Metric {
  MetricStat?: { Metric: Metric };
  Metrics?: Metric[];
}

const countMetrics = ({ readType }: Pick<Awaited<ReturnType<typeof openPackage>>, 'readType'>) =>
  Object.values(readType('CloudWatch::Alarm')).flatMap((alarm: Metric) =>
    alarm.Metrics ? alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) : [alarm],
  ).length;

test("the model's costs at rest are those of prod, and of its table if it is provisioned", async () => {
  const prod = await openStage('prod');
  const provisioned = await openStage('prod-with-edge');
  const policies = Object.values(provisioned.readType('ApplicationAutoScaling::ScalingPolicy'));
  const writes = provisioned.read<{ TargetTrackingScalingPolicyConfiguration: object }>(
    'TableWritePolicy',
  );

  // docs/settings.md adds up these costs at rest.
  expect(assumptions).toMatchObject({
    alarmMetrics: countMetrics(prod),
    autoscalingAlarms: 4 * policies.length,
    indexUnits: provisioned.number('IndexWriteTarget', 'MinCapacity'),
    pusherMemoryMb: prod.number('PushCountsLambdaFunction', 'MemorySize'),
  });
  // An account's first three dashboards are free.
  expect(prod.idsOf('CloudWatch::Dashboard')).toHaveLength(1);
  expect(prod.idsOf('KMS::Key')).toEqual([]);
  expect(writes.TargetTrackingScalingPolicyConfiguration).toMatchObject({
    TargetValue: 100 * limits.scalingTarget,
  });
});

test("a standby's costs at rest are those of its alarms in both Regions", async () => {
  await using dir = await createTestDir();
  await packageService({
    stage: 'prod',
    serviceFile: 'standby.yml',
    outDir: dir.path,
    params: { alarmEmail: 'alarms@example.com', homeRegion: 'us-east-1' },
    isEmpty: true,
  });
  const prod = countMetrics(await openStage('prod'));
  const home = countMetrics(await openStage('prod-with-standby'));
  const standby = countMetrics(await openPackage(dir.path));

  expect(standbyAlarmMetrics).toBe(home - prod + standby);
});

test("the dashboard's estimate has the model's prices", () => {
  const { listPrices } = createRequire(import.meta.url)('../../../infra/cost-graph.cjs');

  for (const [name, dollarsOfMillion] of Object.entries(listPrices)) {
    const { dollars, per } = prices[name as PriceName];
    expect(dollarsOfMillion, name).toBeCloseTo((1_000_000 * dollars) / per, 8);
  }
});
