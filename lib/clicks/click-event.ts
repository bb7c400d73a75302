import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { classifyVisit } from './breakdowns.ts';
import { clickDetailType, clickSource } from './click.ts';
import type { Visit } from './visit.ts';

export interface ClickDetail {
  clickId: string;
  code: string;
  at: string;
  [breakdown: string]: string;
}

export function describeClick(clickId: string, code: string, visit: Visit, at: Date): ClickDetail {
  return { clickId, code, at: at.toISOString(), ...classifyVisit(visit) };
}

export function toBusEntry(
  busName: string,
  detail: ClickDetail,
  source = clickSource,
): PutEventsRequestEntry {
  return {
    EventBusName: busName,
    Source: source,
    DetailType: clickDetailType,
    Time: new Date(detail.at),
    Detail: JSON.stringify(detail),
  };
}
