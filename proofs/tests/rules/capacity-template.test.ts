import { expect, test } from 'vitest';
import { openStage } from '../../../tests/infrastructure/stage-template.ts';
import { assumptions } from '../../capacity/assumptions.ts';
import { limits } from '../../capacity/limits.ts';

interface Metric {
  Namespace?: string;
  MetricName?: string;
  MetricStat?: { Metric: Metric };
  Metrics?: Metric[];
}

test("the model's costs at rest are those of prod, and of its table if it is provisioned", async () => {
  const [prod, provisioned] = [await openStage('prod'), await openStage('prod-with-edge')];
  const metrics = Object.values(prod.readType('CloudWatch::Alarm')).flatMap((alarm: Metric) =>
    alarm.Metrics ? alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) : [alarm],
  );
  const custom = metrics.filter(({ Namespace }) => Namespace?.startsWith('ClickTally'));
  const policies = Object.values(provisioned.readType('ApplicationAutoScaling::ScalingPolicy'));
  const writes = provisioned.read<{ TargetTrackingScalingPolicyConfiguration: object }>(
    'TableWritePolicy',
  );

  // docs/settings.md adds up these costs at rest.
  expect(assumptions).toMatchObject({
    alarmMetrics: metrics.length,
    customMetrics: new Set(custom.map(({ MetricName }) => MetricName)).size,
    keys: prod.idsOf('KMS::Key').length,
    autoscalingAlarms: 4 * policies.length,
    indexUnits: provisioned.number('IndexWriteTarget', 'MinCapacity'),
    pusherMemoryMb: prod.number('PushCountsLambdaFunction', 'MemorySize'),
  });
  expect(prod.idsOf('CloudWatch::Dashboard')).toEqual([]);
  expect(writes.TargetTrackingScalingPolicyConfiguration).toMatchObject({
    TargetValue: 100 * limits.scalingTarget,
  });
});
