import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { classifyVisit } from './breakdowns.ts';
import { clickDetailType, clickSource } from './click.ts';
import type { Visit } from './visit.ts';

/** The detail of the event that the service publishes for a click. */
export interface ClickDetail {
  clickId: string;
  code: string;
  at: string;
  /** Each breakdown's value. */
  [breakdown: string]: string;
}

/** Describes a visit's click. */
export function describeClick(clickId: string, code: string, visit: Visit, at: Date): ClickDetail {
  return { clickId, code, at: at.toISOString(), ...classifyVisit(visit) };
}

/** Wraps a click as a PutEvents entry. */
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
