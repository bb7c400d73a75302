import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { slotAttribute, slotsPerSheet } from 'powertools-idempotency-transactional/sheets';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import {
  campaignAttribute,
  counterAttributes,
  valueAttributes,
} from '../../lib/clicks/campaign-counters.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { linkKey, sumsKey } from '../../lib/keys.ts';
import { createProgress } from '../terminal/progress.ts';
import { dayPrefix, type ScannedCounts, sheetPrefix, toScannedCounts } from './scanned-counts.ts';

interface ScanOptions {
  /**
   * Returns only this link's items, and all sheets and days, because they may share a sheet or a
   * hash with it. The scan still reads the whole table.
   */
  code?: string;
  segments: number;
  /** The second scan sees every write from before it, and costs twice as much. */
  pass: 'first' | 'second';
  signal: AbortSignal;
}

// DynamoDB charges for whole items, but a projection keeps URLs and other attributes out of the
// responses. Its names take 1.6 KB of the 4 KB that an expression may have.
const slotNames = Array.from({ length: slotsPerSheet }, (_, slot) => slotAttribute(slot));
const valueNames = breakdowns.flatMap(({ attributes }) => Object.values(attributes));
// Some names are reserved words, such as `do`. Some values have the name of a slot.
const names = new Set([
  'PK',
  'SK',
  'clicks',
  'purgedAt',
  'count',
  'code',
  'day',
  'sketch',
  ...valueNames,
  ...slotNames,
  campaignAttribute,
  ...counterAttributes,
  ...valueAttributes,
]);
const placeholders = Object.fromEntries([...names].map((name) => [`#${name}`, name]));
const projection = Object.keys(placeholders).join(', ');

const linkFilter =
  'PK = :link OR PK = :sums OR #code = :code OR begins_with(PK, :sheet) OR begins_with(SK, :day)';

/** Scans the whole table, and shows its progress. */
export async function scanTable(
  { client, tableName }: TableAccess,
  { code, segments, pass, signal }: ScanOptions,
  onAnswer: (scanned: ScannedCounts) => void,
): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  // DynamoDB updates the number of items every six hours.
  const progress = createProgress(Table?.ItemCount ?? 0, `items, ${pass} scan`);
  const scanSegment = async (Segment: number) => {
    const answers = paginateScan(
      { client },
      {
        TableName: tableName,
        ConsistentRead: pass === 'second',
        Segment,
        TotalSegments: segments,
        ProjectionExpression: projection,
        ExpressionAttributeNames: placeholders,
        ...(code !== undefined && {
          FilterExpression: linkFilter,
          ExpressionAttributeValues: {
            ':link': linkKey(code).PK,
            ':sums': sumsKey(code).PK,
            ':code': code,
            ':sheet': sheetPrefix,
            ':day': dayPrefix,
          },
        }),
      },
    );
    for await (const { Items = [], ScannedCount = 0 } of answers) {
      onAnswer(toScannedCounts(Items));
      progress.add(ScannedCount);
      if (signal.aborted) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: segments }, (_, segment) => scanSegment(segment)));
  } finally {
    progress.end();
  }
}
