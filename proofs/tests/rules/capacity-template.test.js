import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { openStage } from '../../../tests/infrastructure/stage-template.ts';
import { assumptions } from '../../capacity/assumptions.ts';
import { limits } from '../../capacity/limits.ts';
import { prices } from '../../capacity/prices.ts';
test("the model's costs at rest are those of prod, and of its table if it is provisioned", async () => {
    const prod = await openStage('prod');
    const provisioned = await openStage('prod-with-edge');
    const metrics = Object.values(prod.readType('CloudWatch::Alarm')).flatMap((alarm) => alarm.Metrics ? alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) : [alarm]);
    const policies = Object.values(provisioned.readType('ApplicationAutoScaling::ScalingPolicy'));
    const writes = provisioned.read('TableWritePolicy');
    // docs/settings.md adds up these costs at rest.
    expect(assumptions).toMatchObject({
        alarmMetrics: metrics.length,
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
test("the dashboard's estimate has the model's prices", () => {
    const { listPrices } = createRequire(import.meta.url)('../../../infra/cost-graph.cjs');
    for (const [name, dollarsOfMillion] of Object.entries(listPrices)) {
        const { dollars, per } = prices[name];
        expect(dollarsOfMillion, name).toBeCloseTo((1000000 * dollars) / per, 8);
    }
});
