import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { chunk } from '../chunk.ts';
import { type ClickDetail, toBusEntry } from '../clicks/click-event.ts';
import { batchGetItems } from '../dynamodb/batch-get.ts';
import { backOff, writeTimeoutMs } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { clickKeyPrefix, clickMarkerKey } from '../keys.ts';
import { notAllTakenError } from './live-errors.ts';
import { runClickId } from './scenarios.ts';

/** PutEvents accepts at most 10 entries. */
const maxEntries = 10;
const maxAttempts = 5;

interface ClickBus {
  client: EventBridgeClient;
  busName: string;
}

/**
 * Puts clicks on the bus, ten at a time. Sends rejected ones again, up to five times. Throws an
 * HttpError of 503 if the bus doesn't accept all of them.
 */
export async function putClicks({ client, busName }: ClickBus, details: readonly ClickDetail[]) {
  const abortSignal = AbortSignal.timeout(writeTimeoutMs);
  const put = async (Entries: PutEventsRequestEntry[]) => {
    const answer = await client.send(new PutEventsCommand({ Entries }), { abortSignal });
    // An entry missing from the response is sent again. Even if it was accepted, its click counts
    // once.
    return Entries.filter((_, index) => !answer.Entries?.[index]?.EventId);
  };
  let left = details.map((detail) => toBusEntry(busName, detail));
  for (let attempt = 1; left.length > 0; attempt += 1) {
    if (attempt > maxAttempts) throw notAllTakenError(details.length - left.length, details.length);
    if (attempt > 1) await backOff(attempt);
    const failed: PutEventsRequestEntry[] = [];
    for (const entries of chunk(left, maxEntries)) failed.push(...(await put(entries)));
    left = failed;
  }
}

/** Counts the markers of a run's clicks, which are numbered from 1. */
export async function countRun(table: TableAccess, run: string, clicks: number): Promise<number> {
  const ids = Array.from({ length: clicks }, (_, index) => runClickId(run, index + 1));
  const keys = ids.map((id) => clickMarkerKey(`${clickKeyPrefix}#${id}`));
  return (await batchGetItems(table, keys)).length;
}
