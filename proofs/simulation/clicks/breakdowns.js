/**
 * The attributes that count the values of visits on a day's item. This is the auditor's own copy, which
 * uses nothing of the service. It has only the referrers and countries that are sent here. The
 * attributes of a breakdown begin with a letter of its own.
 */
export const visitValues = {
    visitor: { human: 'vh', bot: 'vb', other: 'vo', unknown: 'vu' },
    device: { desktop: 'dd', mobile: 'dm', tablet: 'dt', other: 'do', unknown: 'du' },
    referrer: {
        direct: 'rd',
        own: 'rs',
        google: 'r1',
        reddit: 'r16',
        weibo: 'r40',
        other: 'ro',
        unknown: 'ru',
    },
    country: { US: 'c2', DE: 'cc', SA: 'cv', other: 'co', unknown: 'cu' },
    network: { hosting: 'nh', other: 'no', unknown: 'nu' },
};
/** The attributes that a click raises on its day's item: one for each breakdown. */
export function attributesOf(detail) {
    const ofVisit = Object.entries(visitValues).map(([breakdown, attributes]) => {
        const value = detail[breakdown];
        if (value === undefined || value === null)
            return attributes.unknown ?? '';
        return attributes[String(value)] ?? attributes.other ?? '';
    });
    return [...ofVisit, `h${detail.at.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh'.length)}`];
}
/** UTM parameters, and the letters of their attributes on the item of a day's campaigns. */
export const campaignLetters = { utm_source: 's', utm_medium: 'm', utm_campaign: 'c' };
/** The values of a click's UTM parameters, such as `s=news`. They are sent as they are stored. */
export function campaignsOf(detail) {
    return Object.entries(campaignLetters).flatMap(([parameter, letter]) => {
        return detail[parameter] === undefined ? [] : [`${letter}=${detail[parameter]}`];
    });
}
/** The UTC day of an instant, yyyy-mm-dd. */
export function dayOf(at) {
    return at.slice(0, 'yyyy-mm-dd'.length);
}
