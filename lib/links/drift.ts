import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { logger, metrics } from '../telemetry/powertools.ts';
import { sumDays } from './days.ts';
import { type LinkStats, readLinkTotal } from './links.ts';

/** The caller's answer is ready; it waits no longer than this for the second look. */
const timeoutMs = 1_000;

/**
 * Reports a link whose total is not the sum of all its days, which no failure may cause. A commit
 * between two pages looks the same, so a read of one moment must confirm it; where the link changes
 * too fast for that, a later request looks again. Never throws.
 */
export async function reportDrift(code: string, { link, days }: LinkStats): Promise<void> {
  if (sumDays(days) === link.clicks) return;
  try {
    const total = await readLinkTotal(code, AbortSignal.timeout(timeoutMs));
    if (!total || total.clicks === total.sum) return;
    logger.error("A link's total is not the sum of its days.", { code, ...total });
    metrics.addMetric('CounterDrift', MetricUnit.Count, 1);
  } catch (error) {
    logger.warn('Whether a link has drifted could not be read.', { code, error });
  }
}
