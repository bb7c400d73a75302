// Runs the packaged aggregator in a process of its own, whose output is discarded.
import { readFile } from 'node:fs/promises';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { makeContext } from '../../../fixtures/lambda-context.ts';

const [bundle = ''] = process.argv.slice(2);
const invocationTimeoutMs = 900_000;

const { handler } = await import(bundle);
const events: SQSEvent[] = JSON.parse(await readFile(process.env.EVENTS_FILE ?? '', 'utf8'));
for (const event of events) {
  const answer: SQSBatchResponse = await handler(event, makeContext(invocationTimeoutMs));
  const failed = answer.batchItemFailures.length;
  if (failed > 0) throw new Error(`Expected every click to count; ${failed} failed.`);
}
process.disconnect();
