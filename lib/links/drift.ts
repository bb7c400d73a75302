import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { findUneven } from '../clicks/breakdowns.ts';
import { table } from '../dynamodb/table.ts';
import { logger, metrics } from '../telemetry/powertools.ts';
import { type Day, findUnevenTotals, readSnapshot } from './days.ts';
import type { LinkStats } from './links.ts';

/** The owner's response is ready and waits at most this long for the second read. */
const timeoutMs = 1_000;

/**
 * Reports a link whose total of clicks, people or bots isn't the sum of its days, which a failure
 * must never cause. A commit between the two reads looks the same, so a consistent snapshot must
 * confirm the drift. If the link changes too fast for a snapshot, a later request tries again. Never
 * throws.
 */
export async function reportDrift(code: string, stats: LinkStats): Promise<void> {
  if (findUnevenTotals(stats).length === 0) return;
  try {
    const abortSignal = AbortSignal.timeout(timeoutMs);
    const snapshot = await readSnapshot({ ...table, abortSignal }, code);
    const [uneven] = snapshot ? findUnevenTotals(snapshot) : [];
    if (!uneven) return;
    logger.error("A link's total doesn't equal the sum of its days.", { code, ...uneven });
    metrics.addMetric('CounterDrift', MetricUnit.Count, 1);
  } catch (error) {
    logger.warn('A possible drift could not be confirmed.', { code, error });
  }
}

/**
 * Reports days whose breakdowns don't sum to their count, which a failure must never cause. A day
 * is a single item, so this doesn't need confirmation. Names only the first one.
 */
export function reportUnevenDays(code: string, days: readonly Day[]): void {
  const uneven = days.flatMap(({ date, count, numbers }) => {
    const breakdowns = findUneven(numbers, count);
    return breakdowns.length > 0 ? [{ day: date, count, breakdowns }] : [];
  });
  if (uneven.length === 0) return;
  logger.error("A day's breakdowns don't sum to its count.", {
    code,
    unevenDays: uneven.length,
    ...uneven[0],
  });
  metrics.addMetric('CounterDrift', MetricUnit.Count, 1);
}
