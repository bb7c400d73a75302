import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { slotAttribute, slotsPerSheet } from 'powertools-idempotency-transactional';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { linkKey } from '../../lib/keys.ts';
import { dayPrefix, type ScannedCounts, sheetPrefix, toScannedCounts } from './scanned-counts.ts';

interface ScanOptions {
  /**
   * Returns only this link's items, and all sheets and days, because they may share a sheet or a
   * hash with it. The scan still reads the whole table.
   */
  code?: string;
  segments: number;
  /** Costs twice as much, and sees every earlier write. */
  consistent: boolean;
  signal: AbortSignal;
}

// DynamoDB charges for whole items, but a projection keeps URLs and other attributes out of the
// responses. Its names take 1.3 KB of the 4 KB that an expression may have.
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
  ...valueNames,
  ...slotNames,
]);
const placeholders = Object.fromEntries([...names].map((name) => [`#${name}`, name]));
const projection = Object.keys(placeholders).join(', ');

const linkFilter =
  'PK = :link OR #code = :code OR begins_with(PK, :sheet) OR begins_with(SK, :day)';

export async function scanTable(
  { client, tableName }: TableAccess,
  { code, segments, consistent, signal }: ScanOptions,
  onAnswer: (scanned: ScannedCounts, items: number) => void,
): Promise<void> {
  const scanSegment = async (Segment: number) => {
    const answers = paginateScan(
      { client },
      {
        TableName: tableName,
        ConsistentRead: consistent,
        Segment,
        TotalSegments: segments,
        ProjectionExpression: projection,
        ExpressionAttributeNames: placeholders,
        ...(code !== undefined && {
          FilterExpression: linkFilter,
          ExpressionAttributeValues: {
            ...{ ':link': linkKey(code).PK, ':code': code },
            ...{ ':sheet': sheetPrefix, ':day': dayPrefix },
          },
        }),
      },
    );
    for await (const { Items = [], ScannedCount = 0 } of answers) {
      onAnswer(toScannedCounts(Items), ScannedCount);
      if (signal.aborted) return;
    }
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => scanSegment(segment)));
}

/** Returns the table's approximate number of items, which DynamoDB updates every six hours. */
export async function estimateItems({ client, tableName }: TableAccess): Promise<number> {
  const { Table: table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  return table?.ItemCount ?? 0;
}
