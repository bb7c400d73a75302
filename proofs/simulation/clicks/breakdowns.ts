/** A click's event without its id and its link. */
export interface Detail extends Readonly<Record<string, unknown>> {
  /** An ISO 8601 instant in UTC. */
  at: string;
}

/**
 * The attributes that count the values of visits on a day's item. This is the auditor's own copy, which
 * uses nothing of the service. It has only the referrers and countries that are sent here. The
 * attributes of a breakdown begin with a letter of its own.
 */
export const visitValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  visitor: { human: 'vh', bot: 'vb', other: 'vo', unknown: 'vu' },
  device: {
    desktop: 'dd',
    mobile: 'dm',
    tablet: 'dt',
    bot: 'db',
    other: 'do',
    unknown: 'du',
  },
  referrer: {
    direct: 'rd',
    own: 'rs',
    google: 'r1',
    reddit: 'r16',
    weibo: 'r40',
    bot: 'rb',
    other: 'ro',
    unknown: 'ru',
  },
  country: { US: 'c2', DE: 'cc', SA: 'cv', bot: 'cw', other: 'co', unknown: 'cu' },
  network: { hosting: 'nh', other: 'no', unknown: 'nu' },
};

/**
 * The attributes that a click raises on its day's item: one for each breakdown. A bot has no other value
 * where there's one for bots, and only the visitor says that it's one.
 */
export function attributesOf(detail: Detail): string[] {
  const ofVisit = Object.entries(visitValues).map(([breakdown, attributes]) => {
    if (detail.visitor === 'bot' && attributes.bot) return attributes.bot;
    const value = detail[breakdown] === 'bot' ? 'other' : detail[breakdown];
    if (value === undefined || value === null) return attributes.unknown ?? '';
    return attributes[String(value)] ?? attributes.other ?? '';
  });
  return [...ofVisit, `h${detail.at.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh'.length)}`];
}

/** UTM parameters, and the letters of their attributes on the item of a day's campaigns. */
export const campaignLetters = { utm_source: 's', utm_medium: 'm', utm_campaign: 'c' };

/** The values of a click's UTM parameters, such as `s=news`. They are sent as they are stored. */
export function campaignsOf(detail: Detail): string[] {
  return Object.entries(campaignLetters).flatMap(([parameter, letter]) => {
    return detail[parameter] === undefined ? [] : [`${letter}=${detail[parameter]}`];
  });
}

/** The UTC day of an instant, yyyy-mm-dd. */
export function dayOf(at: string): string {
  return at.slice(0, 'yyyy-mm-dd'.length);
}
