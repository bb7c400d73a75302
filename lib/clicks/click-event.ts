import { toAsciiJson } from '../aws/send-message.ts';
import { classifyVisit } from './breakdowns.ts';
import { campaignParameters } from './campaign.ts';
import { clickDetailType } from './click-source.ts';
import type { Visit } from './visit.ts';

/** The URL of the ClickQueue with this number, from 0. infra/click-queues.cjs names the queues. */
export function clickQueueUrl(firstUrl: string, queue: number): string {
  return queue === 0 ? firstUrl : `${firstUrl}-${queue + 1}`;
}

export interface ClickDetail {
  clickId: string;
  code: string;
  at: string;
  /** Which mark the visitor has in sketches (visitor-sketch.ts). */
  visitorMark?: number;
  [breakdown: string]: string | number | undefined;
}

export function describeClick(clickId: string, code: string, visit: Visit, at: Date): ClickDetail {
  const { mark, campaign } = visit;
  const visitor = mark !== undefined && { visitorMark: mark };
  return { clickId, code, at: at.toISOString(), ...classifyVisit(visit), ...campaign, ...visitor };
}

const personal: readonly string[] = [...campaignParameters, 'visitorMark'];

/** A click for the log, without what may be personal data: it counts without that too. */
export function withoutPersonalData(detail: ClickDetail): ClickDetail {
  return Object.fromEntries(
    Object.entries(detail).filter(([name]) => !personal.includes(name)),
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
