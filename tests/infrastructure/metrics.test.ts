import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { describe, expect, test, vi } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { awsMetrics } from './aws-metrics.ts';
import { readByAlarms, readByWidgets, readFilteredMetrics } from './metric-readers.ts';
import {
  aggregatorId,
  environmentOf,
  ofType,
  propertiesOf,
  readStage,
  stageOf,
  stages,
} from './stage-template.ts';

/** The names of all metrics in the code. */
function findEmittedNames(): string[] {
  return globSync('{functions,lib}/**/*.ts', { cwd: projectDir }).flatMap((file) => {
    const text = readFileSync(path.join(projectDir, file), 'utf8');
    return [...text.matchAll(/\baddMetric\(\s*'(\w+)'/g)].map(([, name]) => `${name}`);
  });
}

/** The namespace and dimensions of a metric that the code emits in this environment. */
async function emitOne(environment: Record<string, string>) {
  vi.resetModules();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { metrics } = await import('../../lib/telemetry/powertools.ts');
  metrics.addMetric('Anything', MetricUnit.Count, 1);
  const emitted = metrics.serializeMetrics();
  metrics.clearMetrics();
  vi.unstubAllEnvs();
  const [{ Namespace, Dimensions } = { Namespace: '', Dimensions: [] }] =
    emitted._aws.CloudWatchMetrics;
  const values = Dimensions.map((set) =>
    Object.fromEntries(set.map((name) => [name, `${emitted[name]}`])),
  );
  return { namespace: Namespace, dimensionSets: values };
}

const names = [...stages, 'prod-with-edge'] as const;

describe.each(names)("the metrics of %s's alarms and widgets", async (name) => {
  const template = await readStage(name);
  const stage = stageOf(name);
  const reads = [...readByAlarms(template), ...readByWidgets(template)];
  const ofApplication = reads.filter(({ namespace }) => namespace === 'ClickTally');
  const ofStage = reads.filter(({ namespace }) => namespace === `ClickTally/${stage}`);
  const ofAws = reads.filter(({ namespace }) => namespace.startsWith('AWS/'));

  test('come from the code, from a log, or from AWS, as it documents them', () => {
    expect(ofAws.length + ofApplication.length + ofStage.length).toBe(reads.length);
    for (const read of ofAws) {
      const documented = awsMetrics.find(
        ({ namespace, name }) => namespace === read.namespace && name === read.name,
      );
      const { reader, name, statistic, dimensions } = read;
      expect(documented?.dimensions, `${reader}: ${name}`).toEqual(
        Object.keys(dimensions).toSorted(),
      );
      expect(documented?.statistics, `${reader}: ${name}`).toContain(statistic);
    }
  });

  test('are extracted from a log under the same name', () => {
    const made = readFilteredMetrics(template);

    expect(ofStage.length).toBeGreaterThan(0);
    for (const { reader, ...read } of ofStage) expect(made, reader).toContainEqual(read);
  });

  test('have dimensions of resources in this stack', () => {
    const idsOf = (type: string) => Object.keys(ofType(template, type));
    const things: Record<string, unknown[]> = {
      QueueName: idsOf('AWS::SQS::Queue'),
      FunctionName: idsOf('AWS::Lambda::Function'),
      TableName: idsOf('AWS::DynamoDB::Table'),
      ApiId: idsOf('AWS::ApiGatewayV2::Api'),
      Stage: ['HttpApiStage', 'WebsocketsDeploymentStage'].map(
        (id) => propertiesOf(template, id).StageName,
      ),
      EventBusName: idsOf('AWS::Events::EventBus'),
      // Ref would return "bus|rule", which isn't a metric's dimension.
      RuleName: Object.values(ofType(template, 'AWS::Events::Rule')).map((r) => r.Properties.Name),
      Operation: ['TransactWriteItems'],
    };
    for (const [name, value] of ofAws.flatMap(({ dimensions }) => Object.entries(dimensions))) {
      expect(things[name], `${name} ${value}`).toContain(value);
    }
  });

  test("have the names and dimensions that the code emits, unless they are AWS's", async () => {
    const emitted = findEmittedNames();
    const { namespace, dimensionSets } = await emitOne(environmentOf(template, aggregatorId));

    expect(dimensionSets).toEqual([{ service: 'click-tally', stage }]);
    for (const read of ofApplication) {
      expect(emitted).toContain(read.name);
      expect(read).toMatchObject({ namespace, statistic: 'Sum', dimensions: dimensionSets[0] });
    }
  });
});
