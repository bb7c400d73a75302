import {
  findResources,
  getProperties,
  loadTemplate,
  type Template,
} from '../../local/engines/template.ts';

/** The packaged service, as far as the proofs need it. */
export interface PackagedService {
  template: Template;
  batchSize: number;
  visibilityTimeoutSeconds: number;
  maxReceiveCount: number;
  functionTimeoutMs: number;
  /** The aggregator's variables, except those that only a deployed stage knows. */
  environment: Record<string, string>;
}

// One ReceiveMessage call returns no more.
const maxBatchSize = 10;

const mappingId = 'AggregateClicksEventSourceMappingSQSClickQueue';

/** Packages the service and reads the settings of its queue and its aggregator. */
export async function loadPackagedService(): Promise<PackagedService> {
  return readPackagedService(await loadTemplate('local'));
}

/**
 * Reads the settings from the template of a packaged stage.
 * @throws Error if the template has no aggregator on a queue with a redrive policy.
 */
export function readPackagedService(template: Template): PackagedService {
  const queue = getProperties(template, 'AWS::SQS::Queue', 'ClickQueue');
  const functions = Object.values(findResources(template, 'AWS::Lambda::Function'));
  const aggregator = functions.find(({ FunctionName }) =>
    FunctionName.endsWith('aggregate-clicks'),
  );
  const mapping = findResources(template, 'AWS::Lambda::EventSourceMapping')[mappingId];
  if (!aggregator || !mapping || !queue.RedrivePolicy) {
    throw new Error(
      'Expected the packaged service to have aggregate-clicks on a queue with a redrive policy.',
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
  const strings = Object.entries(Variables).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(strings);
}
