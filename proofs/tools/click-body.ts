const at = '2026-05-26T10:00:00Z';

/** The visits of the clicks, in turn. */
const visits = [
  { visitor: 'human', device: 'mobile', referrer: 'instagram' },
  { visitor: 'human', device: 'desktop', referrer: 'google' },
  { visitor: 'human', device: 'mobile', referrer: 'direct' },
  { visitor: 'bot', device: 'other', referrer: 'direct' },
];

/**
 * Makes the nth click of a measurement, in the bus's form. The event id is random by default. Three of four are
 * by people, who have this mark.
 */
export function makeClickBody(
  n: number,
  code: string,
  clickId: string,
  eventId: string = crypto.randomUUID(),
  mark?: number,
): string {
  const visit = visits[n % visits.length];
  const visitorMark = visit?.visitor === 'human' ? mark : undefined;
  return makeEventBody(eventId, at, { clickId, code, at, ...visit, visitorMark });
}

/** An event of the bus, as it reaches the queue. */
export function makeEventBody(id: string, time: string, detail: unknown): string {
  return JSON.stringify({
    version: '0',
    id,
    'detail-type': 'link.clicked',
    source: 'click-tally',
    account: '000000000000',
    time,
    region: 'us-east-1',
    resources: [],
    detail,
  });
}
