import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { makeSqsEvent } from '../../../fixtures/sqs-events.ts';
import { createTable } from '../../../local/engines/table.ts';
import { readTemplate } from '../../../local/engines/template.ts';
import {
  type PackagedAggregator,
  packageAggregator,
  runOnBundle,
} from '../../tools/packaged-aggregator.ts';
import { createLinks } from './links.ts';
import { startMeteredEngine } from './metered-engine.ts';
import type { Batch, Observed } from './observed.ts';

/**
 * Gives batches to the packaged aggregator on a real engine, one after another, and says what they
 * took. Each list of batches gets a table of its own.
 * @throws {Error} if a click fails.
 */
export async function replayBatches(
  lists: readonly (readonly Batch[])[],
  signal: AbortSignal,
  onReplayed: () => void = () => {},
): Promise<Observed[]> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-check-'));
  const aggregator = await packageAggregator(dir.path);
  const observed: Observed[] = [];
  for (const batches of lists) {
    observed.push(await replay(batches, aggregator, dir.path, signal));
    onReplayed();
  }
  return observed;
}

async function replay(
  batches: readonly Batch[],
  { bundle, environment }: PackagedAggregator,
  dir: string,
  signal: AbortSignal,
): Promise<Observed> {
  const engine = await startMeteredEngine();
  try {
    const tableName = environment.TABLE_NAME ?? '';
    await createClickTable(engine.url, tableName, dir);
    await createLinks(engine.url, tableName, batches.flat());
    const file = path.join(dir, 'events.json');
    await writeFile(file, JSON.stringify(batches.map(toEvent)));
    const env = { ...environment, AWS_ENDPOINT_URL_DYNAMODB: engine.url, EVENTS_FILE: file };
    await runOnBundle(
      path.join(import.meta.dirname, 'replay-process.ts'),
      { bundle },
      { env, signal },
    );
    return { ...engine.totals, clicks: batches.flat().length, batches: batches.length };
  } finally {
    await engine.stop();
  }
}

async function createClickTable(endpoint: string, tableName: string, dir: string): Promise<void> {
  const client = new DynamoDBClient(localClientConfig(endpoint));
  await createTable(client, await readTemplate(dir), tableName);
  client.destroy();
}

function toEvent(batch: Batch) {
  return makeSqsEvent(batch.map(({ id, body }) => ({ messageId: id, body })));
}
