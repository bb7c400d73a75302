import { toAsciiJson } from '../aws/send-message.ts';
import { classifyVisit } from './breakdowns.ts';
import { campaignParameters } from './campaign.ts';
import type { Visit } from './visit.ts';

/** The URL of the ClickQueue with this number, from 0. infra/click-queues.cjs names the queues. */
export function clickQueueUrl(firstUrl: string, queue: number): string {
  return queue === 0 ? firstUrl : `${firstUrl}-${queue + 1}`;
}

export const clickSource = 'click-tally';
/** The event source for the ClickQueue with this number, from 0. Other producers use the first. */
export function clickSourceOf(queue: number): string {
  return queue === 0 ? clickSource : `${clickSource}.${queue + 1}`;
}

export const clickDetailType = 'link.clicked';

export interface ClickDetail {
  clickId: string;
  code: string;
  at: string;
  [breakdown: string]: string;
}

export function describeClick(clickId: string, code: string, visit: Visit, at: Date): ClickDetail {
  return { clickId, code, at: at.toISOString(), ...classifyVisit(visit), ...visit.campaign };
}

/** A click for the log. A campaign may be personal data, and the click counts without it too. */
export function withoutCampaign(detail: ClickDetail): ClickDetail {
  const isOfCampaign = (name: string) => campaignParameters.some((parameter) => parameter === name);
  return Object.fromEntries(
    Object.entries(detail).filter(([name]) => !isOfCampaign(name)),
  ) as typeof detail;
}

/** An entry of PutEvents, with its time in epoch seconds. */
export function toBusEntry(busName: string, detail: ClickDetail, source: string) {
  return {
    EventBusName: busName,
    Source: source,
    DetailType: clickDetailType,
    Time: Date.parse(detail.at) / 1_000,
    Detail: toAsciiJson(detail),
  };
}

/** Wraps a click as the bus would deliver it. */
export function toBusEvent(detail: ClickDetail, source: string, account: string | undefined) {
  return {
    version: '0',
    id: detail.clickId,
    'detail-type': clickDetailType,
    source,
    account,
    time: `${detail.at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`,
    region: process.env.AWS_REGION,
    resources: [],
    detail,
  };
}
