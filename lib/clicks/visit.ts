import bowser from 'bowser';
import { isbot } from 'isbot';
import { classifyReferrer } from './referrers.ts';

/** A visit, for the breakdowns to classify. Only their values may leave the function. */
export interface Visit {
  /** The request's headers, with lower-case names. */
  headers: RequestHeaders;
  isBot: boolean;
  platform: string;
  referrer: string;
}

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

const platforms = ['desktop', 'mobile', 'tablet'];

// Longer agents only cost time: bowser tries hundreds of patterns.
const maxAgentLength = 1_000;

/** Classifies a visit by its request headers, which have lower-case names. */
export function readVisit(headers: RequestHeaders, ownDomains: readonly string[]): Visit {
  const agent = headers['user-agent']?.slice(0, maxAgentLength);
  return {
    headers,
    // Every browser sends an agent.
    isBot: !agent || isbot(agent),
    platform: readPlatform(agent),
    referrer: classifyReferrer(headers.referer, ownDomains),
  };
}

function readPlatform(agent: string | undefined): string {
  // bowser throws without an agent. With `true`, it parses the platform alone.
  const platform = agent ? bowser.getParser(agent, true).getPlatformType() : '';
  return platforms.includes(platform) ? platform : 'other';
}
