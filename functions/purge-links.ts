import type { Context } from 'aws-lambda';
import { table } from '../lib/dynamodb/table.ts';
import { purgeLinks } from '../lib/links/storage/link-deletion.ts';
import { logger, withPowertools } from '../lib/telemetry/powertools.ts';

/** The rest of the invocation, in which links that are being purged are finished. */
const reserveMs = 20_000;

/** Once a day: removes the links that were deleted 90 days ago. Fails if some couldn't be removed. */
export const handler = withPowertools(async (_event: unknown, context: Context) => {
  const nowMs = Date.now();
  const deadlineMs = nowMs + context.getRemainingTimeInMillis() - reserveMs;
  const { codes, failures } = await purgeLinks(table, { nowMs, deadlineMs });
  logger.info('links purged', { codes });
  for (const { code, error } of failures) logger.error('link not purged', { code, error });
  if (failures.length > 0) {
    throw new Error(`expected to purge every link that is due; ${failures.length} failed`);
  }
});
