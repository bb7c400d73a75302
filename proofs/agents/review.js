/** Agents that their collections sort wrongly, as we see it. They keep our verdict. */
export const wrongInCollection = [
    {
        package: 'crawler-user-agents',
        pattern: /Instagram|MetaIAB/,
        reason: 'in-app browsers of people',
    },
    {
        package: 'crawler-user-agents',
        pattern: /Electron|Fluid/,
        reason: 'editors and apps of people',
    },
    {
        package: 'random-useragent',
        pattern: /^Mozilla\/4\.0 \(compatible; GoogleToolbar/,
        reason: 'a toolbar',
    },
    {
        package: 'woothee',
        pattern: /VocusBot|Instapaper|RSS Version/,
        reason: 'readers that fetch by themselves',
    },
    {
        package: 'woothee',
        pattern: /pc2m|Mobile-Gateway|Transcoder/,
        reason: 'gateways for phones, gone for years',
    },
    {
        package: 'top-user-agents',
        pattern: /x64\) (?:AppleWebKit\/\S+|Chrome\/\S+)$/,
        reason: 'half an agent, as programs send it',
    },
    { package: 'ua-parser-js', pattern: /Headless|PhantomJS|^curl/, reason: 'programs' },
    {
        package: 'ua-parser-js',
        pattern: /^User-Agent:/,
        reason: 'the name of the header inside its value, as programs send it',
    },
    {
        package: 'ua-parser-js',
        pattern: /Squeezebox Server|Commodore/,
        reason: 'a media server, and a Commodore 64',
    },
];
/** Collections of which a part isn't agents of today, so that they are no goal. */
export const notAGoal = {
    '@financial-times/useragent_parser': 'five sixths are agents of before 2006',
};
// Words that say what an Android device is.
const deviceWord = /tab|pad|tv|watch|box|console/i;
/**
 * Whether somebody who reads an agent, and doesn't know the model, could tell the device. On Android,
 * "Mobile" tells a phone from a tablet. If only the model says otherwise, nobody could.
 */
export function tellsDevice(text, device) {
    if (!/android/i.test(text) || deviceWord.test(text))
        return true;
    return device === (/mobi/i.test(text) ? 'mobile' : 'tablet');
}
