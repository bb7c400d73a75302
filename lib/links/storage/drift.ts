import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { findUneven } from '../../clicks/breakdowns.ts';
import { table } from '../../dynamodb/table.ts';
import { logger, metrics } from '../../telemetry/powertools.ts';
import { confirmCampaigns, findUnevenCampaigns } from './campaign-drift.ts';
import { type Day, findUnevenTotals, readSnapshot } from './days.ts';
import type { LinkStats } from './links.ts';

/** The owner's response is ready and waits at most this long for the second read. */
const timeoutMs = 1_000;
/** Usually, only today is uneven, because clicks arrive. */
const maxConfirmed = 5;

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
 * Reports a day whose campaigns don't sum to its clicks with one, or have a number without a value, which
 * a failure must never cause. A commit between the reads looks the same, so a second read must confirm
 * it. Names only the first one, of at most {@link maxConfirmed} days. Never throws.
 */
export async function reportUnevenCampaigns(
  code: string,
  { days, campaignItems }: LinkStats,
): Promise<void> {
  const possible = findUnevenCampaigns(days, campaignItems).slice(0, maxConfirmed);
  try {
    const abortSignal = AbortSignal.timeout(timeoutMs);
    for (const { date } of possible) {
      const confirmed = await confirmCampaigns({ ...table, abortSignal }, code, date);
      if (!confirmed?.[0]) continue;
      const message = "A day's campaigns don't match its clicks with one.";
      logger.error(message, { code, day: date, campaigns: confirmed });
      metrics.addMetric('CounterDrift', MetricUnit.Count, 1);
      return;
    }
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
