import { expect, test } from 'vitest';
import { readTemplate } from '../../../local/engines/template.ts';
import { packageDirOf, type Stage } from '../../../tests/infrastructure/stage-template.ts';
import { readStageCosts } from '../../capacity/stage-costs.ts';

const readCosts = async (stage: Stage) => readStageCosts(await readTemplate(packageDirOf(stage)));

test("a stage with traces or Lambda's own log lines, such as dev, has no price", async () => {
  await expect(readCosts('dev')).rejects.toThrow(/^expected ResolveLink.+ untraced.+; got/);
});

test('the cost of prod includes its alarms, metrics and dashboard', async () => {
  const costs = await readCosts('prod');

  // docs/settings.md adds up these costs at rest.
  expect(costs).toMatchObject({ alarmMetrics: 22, dashboards: 0, keys: 1 });
  // Six in the code, and the access log's throttled requests.
  expect(costs.customMetrics).toBe(7);
});
