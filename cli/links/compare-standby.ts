import { isDeepStrictEqual } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { chunk } from '../../lib/chunk.ts';
import { batchGetItems } from '../../lib/dynamodb/requests.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { linkKey } from '../../lib/keys.ts';
import { getStoredLinks } from '../../lib/links/storage/links.ts';
import {
  repairStandbyLink,
  type StandbyLink,
  toStandbyLink,
} from '../../lib/standby/standby-link.ts';
import { connectStandby, connectTable } from '../connection.ts';
import type { Stack } from '../stack.ts';
import { count, printLine } from '../terminal/print.ts';
import { exitCodes } from '../terminal/program.ts';
import { createProgress } from '../terminal/progress.ts';

interface Difference {
  code: string;
  /** What the standby has. */
  seen?: StandbyLink;
  /** What it should have. */
  link?: StandbyLink;
}

interface Regions {
  home: TableAccess;
  standby: TableAccess;
}

const readsAtOnce = 100;
const { PK: prefix, SK: sortKey } = linkKey('');

/**
 * Compares the links of the standby with the stage's, prints those that differ, and with `repair` makes
 * them equal. A link that changes meanwhile may differ until replicate-links has brought the change.
 */
export async function compareStandby(
  stack: Stack,
  { repair = false }: { repair?: boolean },
  signal: AbortSignal,
): Promise<void> {
  const regions = { home: connectTable(stack), standby: connectStandby(stack).table };
  const totals = { compared: 0, differing: 0, repaired: 0 };
  const visit = async (differences: Difference[]) => {
    for (const difference of differences) {
      totals.differing += 1;
      printLine(`  ${difference.code}: ${describe(difference)}`);
      const isRepaired =
        repair && (await repairStandbyLink(regions.standby, difference.code, difference));
      if (isRepaired) totals.repaired += 1;
    }
  };
  for await (const codes of listCodes(regions.home, 'items of the stage', signal)) {
    totals.compared += codes.length;
    await visit(await findDifferences(regions, codes));
  }
  for await (const codes of listCodes(regions.standby, 'items of the standby', signal)) {
    const differences = await findDifferences(regions, codes);
    await visit(differences.filter(({ link }) => link === undefined));
  }
  const { compared, differing, repaired } = totals;
  const remark = repair ? ` ${repaired} repaired.` : '';
  printLine(`Compared ${count(compared, 'link')} of ${stack.name}: ${differing} differ.${remark}`);
  if (signal.aborted) printLine('Stopped before the end.');
  if (differing > repaired) process.exitCode = exitCodes.failure;
}

/** The codes of a table's links, in pages. */
async function* listCodes(
  { client, tableName: TableName }: TableAccess,
  unit: string,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  if (signal.aborted) return;
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const progress = createProgress(Table?.ItemCount ?? 0, unit);
  const pages = paginateScan(
    { client },
    {
      TableName,
      ConsistentRead: true,
      ProjectionExpression: 'PK',
      FilterExpression: 'SK = :sk AND begins_with(PK, :prefix)',
      ExpressionAttributeValues: { ':sk': sortKey, ':prefix': prefix },
    },
  );
  try {
    for await (const { Items = [], ScannedCount = 0 } of pages) {
      const codes = Items.map(({ PK }) => `${PK}`.slice(prefix.length));
      yield* chunk(codes, readsAtOnce);
      progress.add(ScannedCount);
      if (signal.aborted) return;
    }
  } finally {
    progress.end();
  }
}

async function findDifferences({ home, standby }: Regions, codes: string[]): Promise<Difference[]> {
  const items = await batchGetItems(standby, codes.map(linkKey));
  const seenByCode = new Map(
    items.map(({ PK, SK: _, ...link }) => [PK.slice(prefix.length), link as StandbyLink]),
  );
  // Read last, because a change may arrive between the two reads.
  const stored = await getStoredLinks(home, codes);
  return codes.flatMap((code) => {
    const found = stored.get(code);
    const link = found && toStandbyLink(found);
    const seen = seenByCode.get(code);
    const isSame = isDeepStrictEqual(link, seen) || (hasExpired(link) && hasExpired(seen));
    return isSame ? [] : [{ code, seen, link }];
  });
}

/** DynamoDB removes an expired item within days, and not in both Regions at once. */
function hasExpired(link: StandbyLink | undefined): boolean {
  return !link || (link.ttl !== undefined && link.ttl * 1_000 <= Date.now());
}

function describe({ seen, link }: Difference): string {
  if (!seen) return 'missing';
  if (!link) return 'not a link of the stage';
  if (seen.version === link.version) return 'has other contents';
  return `has version ${seen.version} instead of ${link.version}`;
}
