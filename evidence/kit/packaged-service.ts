import { packageService } from '../../local/engines/serverless.ts';
import {
  findResources,
  getProperties,
  readTemplate,
  type Template,
} from '../../local/engines/template.ts';
import { createTemporaryDir } from './temporary-dir.ts';

/** What the cells take from the packaged service. */
export type Settings = {
  template: Template;
  batchSize: number;
  visibilityTimeoutSeconds: number;
  maxReceiveCount: number;
  functionTimeoutMs: number;
  /** The aggregator's variables, but for those that only a deployed stage knows. */
  environment: Record<string, string>;
};

const maxBatchSize = 10;

/** Packages the service and reads the settings of its queue and of its aggregator. */
export async function packageSettings(): Promise<Settings> {
  const { dir: outDir, remove } = await createTemporaryDir();
  try {
    await packageService({ stage: 'local', outDir });
    return await readSettings(outDir);
  } finally {
    remove();
  }
}

/** Reads what `serverless package` wrote. */
export async function readSettings(packageDir: string): Promise<Settings> {
  const template = await readTemplate(packageDir);
  const queue = getProperties(template, 'AWS::SQS::Queue', 'ClickQueue');
  const functions = Object.values(findResources(template, 'AWS::Lambda::Function'));
  const aggregator = functions.find(({ FunctionName }) =>
    FunctionName.endsWith('aggregate-clicks'),
  );
  const [mapping] = Object.values(findResources(template, 'AWS::Lambda::EventSourceMapping'));
  if (!aggregator || !mapping || !queue.RedrivePolicy) {
    throw new Error(
      'The packaged service has no aggregate-clicks on a queue with a redrive policy.',
    );
  }
  return {
    template,
    batchSize: Math.min(mapping.BatchSize, maxBatchSize),
    visibilityTimeoutSeconds: queue.VisibilityTimeout ?? 30,
    maxReceiveCount: queue.RedrivePolicy.maxReceiveCount,
    functionTimeoutMs: aggregator.Timeout * 1000,
    environment: readVariables(aggregator),
  };
}

function readVariables(properties: object): Record<string, string> {
  const { Environment: { Variables = {} } = {} } = properties as {
    Environment?: { Variables?: Record<string, unknown> };
  };
  const texts = Object.entries(Variables).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
