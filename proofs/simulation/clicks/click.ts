import { attributesOf, campaignsOf, type Detail, dayOf } from './breakdowns.ts';
import { markOf } from './visitor-marks.ts';

/** A click as its producer intended it. */
export interface Click {
  id: string;
  code: string;
  /** The UTC day, yyyy-mm-dd. */
  day: string;
  detail: Detail;
  /** The attributes that it raises on the day's item, one for each breakdown. */
  raises: readonly string[];
  /** The values of its UTM parameters. */
  campaigns: readonly string[];
  /** Whether it can be counted without them. Operators also sent it from the log, which omits them. */
  mayLackCampaigns?: boolean;
  /** Its visitor's mark, if a person followed the link. */
  mark: number | undefined;
}

/** The click's fields in a marker. */
export type MarkedClick = Pick<Click, 'id' | 'code' | 'day'>;

/** A message's content. Without a click if it can't be processed. */
export interface Sent {
  click?: Click;
  sentMs: number;
  /** What an envelope holds. */
  parts?: Part[];
}

/** A click of an envelope, or something else in its place. */
export interface Part extends Sent {
  /** As JSON. */
  detail: string;
}

/** The ids concerned, its own first. Empty for an invalid message. */
export function idsOf({ click, parts = [] }: Sent): string[] {
  return click ? [click.id, click.code] : parts.flatMap(idsOf);
}

/** A broken invariant. */
export interface Violation {
  kind: string;
  text: string;
  /** The ids concerned, to find its history in a trace. */
  about: string[];
}

export type Report = (kind: string, text: string, about: string[]) => void;

export function makeClick(id: string, code: string, detail: Detail): Click {
  const raises = attributesOf(detail);
  const campaigns = campaignsOf(detail);
  return { id, code, day: dayOf(detail.at), detail, raises, campaigns, mark: markOf(detail) };
}

/** The click in a detail of the service's resolver. */
export function clickOfDetail(text: string): Click {
  const { clickId, code, ...detail } = JSON.parse(text) as Detail;
  return makeClick(String(clickId), String(code), detail as Detail);
}

/** The click in an event of the bus. */
export function clickOfEvent(body: string): Click {
  return clickOfDetail(JSON.stringify(JSON.parse(body).detail));
}

/** The clicks in a request of the resolver. */
export function clicksOfRequest(operation: string, input: unknown): Click[] {
  const { MessageBody = '', Entries = [] } = input as {
    MessageBody?: string;
    Entries?: { Detail: string }[];
  };
  if (operation === 'SendMessage') return [clickOfEvent(MessageBody)];
  return Entries.map(({ Detail }) => clickOfDetail(Detail));
}

/** The sheet and the attribute of a click id's mark. Undefined for ids without a slot. */
export function slotOf(id: string): string | undefined {
  const [, sheet, number] = /^([\w-]{22})\.(\d+)\.[\w-]{22}$/.exec(id) ?? [];
  if (sheet === undefined) return undefined;
  const slot = Number(number);
  return `CLICKS#${sheet} ${'abcdefghijklm'[Math.floor(slot / 10)]}${slot % 10}`;
}
