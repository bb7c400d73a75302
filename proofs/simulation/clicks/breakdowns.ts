/** What a click's event says beside its id and its link. */
export interface Detail extends Readonly<Record<string, unknown>> {
  /** An ISO 8601 instant. */
  at: string;
}

/** One value of one breakdown. */
export interface Value {
  breakdown: string;
  name: string;
}

/**
 * The attributes of a day's item that count the values of visits. This table belongs to the auditor:
 * it repeats what is stored, and takes nothing from the service. Of the referrers, it has those that
 * are sent here.
 */
export const visitValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  visitor: { human: 'vh', bot: 'vb', other: 'vo', unknown: 'vu' },
  device: { desktop: 'dd', mobile: 'dm', tablet: 'dt', other: 'do', unknown: 'du' },
  referrer: {
    ...{ direct: 'rd', own: 'rs', google: 'r01', reddit: 'r16', weibo: 'r40' },
    ...{ other: 'ro', unknown: 'ru' },
  },
};

const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
const tables = {
  ...visitValues,
  hour: Object.fromEntries(hours.map((hour) => [hour, `h${hour}`])),
};

/** The names of all breakdowns. */
export const breakdownNames = Object.keys(tables);

/** What each attribute counts. */
export const valueOfAttribute: ReadonlyMap<string, Value> = new Map(
  Object.entries(tables).flatMap(([breakdown, attributes]) =>
    Object.entries(attributes).map(([name, attribute]) => [attribute, { breakdown, name }]),
  ),
);

/** The attributes of its day's item that a click raises: one for each breakdown. */
export function attributesOf(detail: Detail): string[] {
  const ofVisit = Object.entries(visitValues).map(([breakdown, attributes]) => {
    const value = Object.hasOwn(detail, breakdown) ? detail[breakdown] : undefined;
    if (value === undefined || value === null) return attributes.unknown ?? '';
    const isListed = typeof value === 'string' && Object.hasOwn(attributes, value);
    return (isListed && attributes[value]) || (attributes.other ?? '');
  });
  return [...ofVisit, `h${toUtc(detail.at).slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh'.length)}`];
}

/** The UTC day of an instant, yyyy-mm-dd. */
export function dayOf(at: string): string {
  return toUtc(at).slice(0, 'yyyy-mm-dd'.length);
}

function toUtc(at: string): string {
  return at.endsWith('Z') ? at : new Date(at).toISOString();
}
