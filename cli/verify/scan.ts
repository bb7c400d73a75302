import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { clickMarkerKey, dayKey, linkKey } from '../../lib/keys.ts';
import type { ClickTable } from '../connection.ts';
import type { Page } from './recount.ts';

export interface ScanOptions {
  /** Only this link; the scan still reads the whole table. */
  code?: string;
  /** How many segments of the table to scan in parallel. */
  segments: number;
  /** Costs twice as much, and sees every earlier write. */
  consistent: boolean;
  signal: AbortSignal;
}

const { PK: linkPrefix, SK: totalSortKey } = linkKey('');
const dayPrefix = dayKey('', '').SK;
const markerSortKey = clickMarkerKey('').SK;

/** Scans the table page by page. */
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

/** Returns about how many items the table has; DynamoDB counts them every six hours. */
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

// Anything but a number counts as 0, and so shows as drift.
function toCount(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
