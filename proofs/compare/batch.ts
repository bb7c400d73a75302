import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';

/** Handles one record after another and reports the failed ones, as Lambda's guide shows. */
export async function handleEach(
  event: SQSEvent,
  handle: (record: SQSRecord) => Promise<unknown>,
): Promise<SQSBatchResponse> {
  const batchItemFailures = [];
  for (const record of event.Records) {
    try {
      await handle(record);
    } catch {
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
}
