import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { clickMarkerKey, dayKey, linkKey } from '../../lib/keys.ts';
import type { ClickTable } from '../connection.ts';
import type { Page } from './recount.ts';

export interface ScanOptions {
  /** Only this link; the whole table is read all the same. */
  code?: string;
  /** How many parts of the table are read side by side. */
  segments: number;
  /** Costs twice as much, and sees all that was written before. */
  consistent: boolean;
  signal: AbortSignal;
}

const { PK: linkPrefix, SK: totalSortKey } = linkKey('');
const dayPrefix = dayKey('', '').SK;
const markerSortKey = clickMarkerKey('').SK;

/** Reads the table a page at a time. */
export async function scanTable(
  { dynamodb, name }: ClickTable,
  { code, segments, consistent, signal }: ScanOptions,
  onPage: (page: Page, items: number) => void,
): Promise<void> {
  const scanSegment = async (Segment: number) => {
    const pages = paginateScan(
      { client: dynamodb },
      {
        TableName: name,
        ConsistentRead: consistent,
        Segment,
        TotalSegments: segments,
        ProjectionExpression: 'PK, SK, clicks, #count, #code, #day',
        ExpressionAttributeNames: { '#count': 'count', '#code': 'code', '#day': 'day' },
        ...(code !== undefined && {
          FilterExpression: 'PK = :link OR #code = :code',
          ExpressionAttributeValues: { ':link': linkKey(code).PK, ':code': code },
        }),
      },
    );
    for await (const { Items = [], ScannedCount = 0 } of pages) {
      onPage(sortItems(Items), ScannedCount);
      if (signal.aborted) return;
    }
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => scanSegment(segment)));
}

/** About how many items the table has; DynamoDB counts them every six hours. */
export async function estimateItems({ dynamodb, name }: ClickTable): Promise<number> {
  const { Table: table } = await dynamodb.send(new DescribeTableCommand({ TableName: name }));
  return table?.ItemCount ?? 0;
}

function sortItems(items: Record<string, unknown>[]): Page {
  const page: Page = { totals: [], days: [], markers: [] };
  for (const { PK, SK, clicks, count, code, day } of items) {
    const sortKey = String(SK);
    if (sortKey === markerSortKey && typeof code === 'string' && typeof day === 'string') {
      page.markers.push({ code, day });
    }
    if (!String(PK).startsWith(linkPrefix)) continue;
    const link = String(PK).slice(linkPrefix.length);
    if (sortKey === totalSortKey) page.totals.push({ code: link, clicks: toCount(clicks) });
    if (sortKey.startsWith(dayPrefix)) {
      page.days.push({ code: link, day: sortKey.slice(dayPrefix.length), count: toCount(count) });
    }
  }
  return page;
}

// What is no number counts for nothing, and so shows as drift.
function toCount(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
