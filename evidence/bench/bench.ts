import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { packageSettings, type Settings } from '../kit/packaged-service.ts';
import { type Measurement, type Plan, type Progress, planScenarios } from './measurement.ts';
import { formatTable } from './table.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
});

const [engine, settings] = await Promise.all([startDynamoDb(), packageSettings()]);
try {
  const plan: Plan = {
    scenarios: planScenarios(values.quick),
    rounds: values.quick ? 4 : 9,
    endpoint: engine.endpoint,
  };
  const measurements = await measure(plan, settings);
  console.log(formatTable(measurements));
  if (values.json) await writeFile(values.json, `${JSON.stringify(measurements, null, 2)}\n`);
} finally {
  await engine.stop();
}

/** Runs the plan in a process of its own, whose output goes nowhere: metrics cost as in Lambda. */
async function measure(plan: Plan, { template, environment }: Settings): Promise<Measurement[]> {
  const child = fork(path.join(import.meta.dirname, 'measure.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...environment, TABLE_NAME: 'click-tally-bench' },
  });
  let measurements: Measurement[] = [];
  const format = '{bar} {value}/{total} rounds  {links} links, batches of {batch}';
  const bar = new SingleBar({ format, clearOnComplete: true }, Presets.shades_classic);
  bar.start(plan.scenarios.length * plan.rounds, 0, plan.scenarios[0]);
  child.on('message', (progress: Progress) => {
    if (progress.kind === 'measured') measurements = progress.measurements;
    else bar.update(progress.done, progress.scenario);
  });
  child.send({ plan, template });
  const [code] = await once(child, 'exit');
  bar.stop();
  if (code !== 0) throw new Error(`The measuring process ended with code ${code}.`);
  return measurements;
}
