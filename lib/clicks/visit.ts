import { type Campaign, readCampaign } from './campaigns.ts';
import { classifyReferrer } from './referrers.ts';
import { isBot, readPlatform } from './user-agent.ts';

/** A visit, for the breakdowns to classify. Only their values may leave the function. */
export interface Visit {
  /** The request's headers, with lower-case names. */
  headers: RequestHeaders;
  isBot: boolean;
  platform: string;
  referrer: string;
  campaign: Campaign;
}

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

// Longer agents only cost time.
const maxAgentLength = 1_000;

/** Classifies a visit by its request headers, which have lower-case names, and its query. */
export function readVisit(
  headers: RequestHeaders,
  ownDomains: readonly string[],
  query?: string,
): Visit {
  const agent = headers['user-agent']?.slice(0, maxAgentLength) ?? '';
  return {
    headers,
    // Every browser sends an agent.
    isBot: agent === '' || isBot(agent),
    platform: readPlatform(agent),
    referrer: classifyReferrer(headers.referer, ownDomains),
    campaign: readCampaign(query),
  };
}
