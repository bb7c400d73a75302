import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { nonEmptyString, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { readLinkChange } from '../lib/standby/link-change.ts';
import { replicateLinks } from '../lib/standby/replicate-links.ts';
import { logger, traceClient, withPowertools } from '../lib/telemetry/powertools.ts';

const { STANDBY_REGION: region, STANDBY_TABLE_NAME: tableName } = readEnv({
  STANDBY_REGION: nonEmptyString,
  STANDBY_TABLE_NAME: nonEmptyString,
});
const client = DynamoDBDocumentClient.from(traceClient(new DynamoDBClient({ region })));
/** Leaves time to report the changes that failed. */
const timeoutMs = 20_000;

/**
 * Brings changes of links to the standby. Lambda repeats from the first change that failed, for as long
 * as the stream keeps it.
 */
export const handler = withPowertools(
  async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const abortSignal = AbortSignal.timeout(timeoutMs);
    const regions = {
      home: { ...table, abortSignal },
      standby: { client, tableName, abortSignal },
    };
    const records = event.Records.map((record) => ({ record, change: readLinkChange(record) }));
    const failures = await replicateLinks(
      regions,
      records.flatMap(({ change }) => change ?? []),
    );
    for (const [code, error] of failures) logger.error('link not replicated', { code, error });
    const failed = records.filter(({ change }) => change && failures.has(change.code));
    return { batchItemFailures: failed.map(({ record }) => toFailure(record)) };
  },
);

function toFailure({ dynamodb }: DynamoDBRecord) {
  return { itemIdentifier: dynamodb?.SequenceNumber ?? '' };
}
