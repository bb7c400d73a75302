import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { describe, expect, test, vi } from 'vitest';
import { PROJECT_DIR } from '../../local/engines/serverless.ts';
import { AWS_METRICS } from './aws-metrics.ts';
import { type MetricRead, readByAlarms, readByWidgets, readWidgets } from './metric-readers.ts';
import { environmentOf, ofType, propertiesOf, readStage, STAGES } from './stage-template.ts';

const AGGREGATOR = 'AggregateClicksLambdaFunction';

/** The names that the code gives to a metric, wherever it does. */
async function findEmittedNames(): Promise<string[]> {
  const dirs = ['functions', 'lib'].map((dir) => path.join(PROJECT_DIR, dir));
  const files = await Promise.all(
    dirs.map(async (dir) =>
      (await readdir(dir, { recursive: true })).map((file) => path.join(dir, file)),
    ),
  );
  const sources = files.flat().filter((file) => file.endsWith('.ts'));
  const texts = await Promise.all(sources.map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) =>
    [...text.matchAll(/\baddMetric\(\s*'(\w+)'/g)].map(([, name]) => `${name}`),
  );
}

/** The namespace and dimensions of what the code emits in the environment of a function. */
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

describe.each(STAGES)('what alarms and widgets of %s read', async (stage) => {
  const template = await readStage(stage);
  const reads = [...readByAlarms(template), ...readByWidgets(template)];
  const ofApplication = reads.filter(({ namespace }) => !namespace.startsWith('AWS/'));
  const ofAws = reads.filter(({ namespace }) => namespace.startsWith('AWS/'));
  const title = ({ reader, namespace, name }: MetricRead) => `${reader}: ${namespace} ${name}`;

  test.each(ofAws.map((read) => [title(read), read] as const))('%s is one of AWS', (_, read) => {
    const documented = AWS_METRICS.find(
      ({ namespace, names }) => namespace === read.namespace && names.includes(read.name),
    );
    expect(documented?.dimensions).toEqual(Object.keys(read.dimensions).toSorted());
    expect(documented?.statistics).toContain(read.statistic);
  });

  test('each dimension is the name of a thing in this stack', () => {
    const idsOf = (type: string) => Object.keys(ofType(template, type));
    const things: Record<string, unknown[]> = {
      QueueName: idsOf('AWS::SQS::Queue'),
      FunctionName: idsOf('AWS::Lambda::Function'),
      TableName: idsOf('AWS::DynamoDB::Table'),
      ApiId: idsOf('AWS::ApiGatewayV2::Api'),
      Stage: [propertiesOf(template, 'HttpApiStage').StageName],
      EventBusName: idsOf('AWS::Events::EventBus'),
      // Ref would give "bus|rule", which no metric has.
      RuleName: [propertiesOf(template, 'ClickRule').Name],
      Operation: ['TransactWriteItems'],
    };
    for (const [name, value] of ofAws.flatMap(({ dimensions }) => Object.entries(dimensions))) {
      expect(things[name], `${name} ${value}`).toContain(value);
    }
  });

  test('each metric of the application is one that the code emits, by its name', async () => {
    const emitted = await findEmittedNames();
    const read = new Set(ofApplication.map(({ name }) => name));
    expect([...read].filter((name) => !emitted.includes(name))).toEqual([]);
  });

  test('each metric of the application is one that the code emits, by its dimensions', async () => {
    const { namespace, dimensionSets } = await emitOne(environmentOf(template, AGGREGATOR));
    expect(dimensionSets).toEqual([{ service: 'click-tally', stage }]);
    for (const read of ofApplication) {
      expect(read.namespace).toBe(namespace);
      expect(dimensionSets).toContainEqual(read.dimensions);
      expect(read.statistic).toBe('Sum');
    }
  });

  test('every metric that the code emits is on the dashboard', async () => {
    const shown = readByWidgets(template).map(({ name }) => name);
    expect(shown).toEqual(expect.arrayContaining(await findEmittedNames()));
  });
});

describe('the dashboard', async () => {
  const widgets = readWidgets(await readStage('prod'));
  const metricsOf = (title: string) => {
    const widget = widgets.find(({ properties }) => properties.title.startsWith(title));
    return (widget?.properties.metrics ?? []) as [...string[], Record<string, string>][];
  };

  test('shows what was received and what became of it as one identity', () => {
    const metrics = metricsOf('received = counted + duplicates + failed');
    const ids = Object.fromEntries(
      metrics.slice(0, -1).map((m) => [(m.at(-1) as { id: string }).id, m[1]]),
    );
    expect(ids).toEqual({
      received: 'NumberOfMessagesReceived',
      counted: 'ClicksCounted',
      duplicates: 'DuplicateClicks',
      failed: 'FailedClicks',
      dead: 'DeadLetters',
    });
    expect(metrics.at(-1)?.[0]).toMatchObject({
      expression: 'FILL(received, 0) - FILL(counted, 0) - FILL(duplicates, 0) - FILL(failed, 0)',
    });
  });

  test('shows the write units that a counted click costs', () => {
    const metrics = metricsOf('Write units per counted click');
    expect(metrics[0]?.[0]).toMatchObject({ expression: 'units / counted' });
    expect(metrics[1]).toEqual([
      ...['AWS/DynamoDB', 'ConsumedWriteCapacityUnits', 'TableName', 'ClickTable'],
      { id: 'units', visible: false },
    ]);
    expect(metrics[2]?.[1]).toBe('ClicksCounted');
  });

  test('has a region on every graph, and no widget over another', () => {
    const cells = widgets.flatMap(({ x, y, width, height }) =>
      Array.from(
        { length: width * height },
        (_, i) => `${x + (i % width)},${y + Math.floor(i / width)}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { x, width } of widgets) expect(x + width).toBeLessThanOrEqual(24);
    for (const { type, properties } of widgets) {
      if (type === 'metric') expect(properties.region).toBe('us-east-1');
    }
  });
});
