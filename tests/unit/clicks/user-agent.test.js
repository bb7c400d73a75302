import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import crawlers from 'crawler-user-agents';
import { list } from 'isbot';
import { expect, test } from 'vitest';
import { narrowedPatterns } from '../../../lib/clicks/bot-patterns.ts';
import { isBot, readPlatform } from '../../../lib/clicks/user-agent.ts';
import { readVisit } from '../../../lib/clicks/visit.ts';
const bots = crawlers.flatMap(({ instances }) => instances);
// The package exports only a random choice.
const browsersDir = path.dirname(createRequire(import.meta.url).resolve('user-agents'));
const browsers = JSON.parse(readFileSync(path.join(browsersDir, 'user-agents.json'), 'utf8'));
const percent = (share) => `${(share * 100).toFixed(2)}%`;
const sum = (some) => some.reduce((total, { weight }) => total + weight, 0);
// The figures of more collections are in docs/people-and-bots.md.
const missed = bots.filter((agent) => !isBot(agent));
test(`of ${bots.length} agents in crawler-user-agents, ${percent(1 - missed.length / bots.length)} are bots, and the others people`, () => {
    const people = [
        /Instagram 406/, // in-app browser
        /MetaIAB Facebook$/, // Facebook's in-app browser
        /Fluid\/0\.9\.6/, // makes an app of a website
        / Code\/1\.115\.0 .* Electron/, // Visual Studio Code
        / Trae\/1\.107\.1 .* Electron/, // another editor
    ];
    expect(bots.length).toBeGreaterThan(2000);
    expect(missed.filter((agent) => !people.some((one) => one.test(agent)))).toEqual([]);
    expect(missed.length / bots.length).toBeLessThan(0.005);
});
const seenAsBots = browsers.filter(({ userAgent }) => isBot(userAgent));
const rightDevices = browsers.filter(({ userAgent, deviceCategory }) => readPlatform(userAgent) === deviceCategory);
test(`of ${browsers.length} browsers in user-agents, ${seenAsBots.length} are bots, and ${percent(sum(rightDevices))} of the visits have the right device`, () => {
    expect(browsers.length).toBeGreaterThan(5000);
    expect(seenAsBots).toEqual([]);
    expect(sum(browsers)).toBeCloseTo(1);
    expect(sum(rightDevices)).toBeGreaterThan(0.99);
});
test('each narrowed pattern is still one of isbot', () => {
    expect(list).toEqual(expect.arrayContaining(Object.keys(narrowedPatterns)));
});
// In-app browsers, rare devices and programs: the device or "bot", the source, and the agent.
const seen = readFileSync(new URL('user-agents.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
test.each(seen.map((row) => row.split('\t')))('%s, from %s: %s', (expected, _, agent = '') => {
    expect(isBot(agent) ? 'bot' : readPlatform(agent)).toBe(expected);
});
// Names that phone companies and manufacturers have, or could have.
test.each([
    ...['', 'T-Mobile', 'AT&T', 'NL KPN', 'Google Fi', 'Telekom.de', 'Proximus', 'Boost|Mobile'],
    ...['1&1', 'Mail.ru', 'www.carrier.com', 'Bot_Cell', 'Spider 8', 'CUBOT', 'Search()'],
])("a visitor whose phone company or phone's name is %j is a person", (name) => {
    const apple = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15';
    const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
    const agents = [
        `[FBAN/FBIOS;FBAV/445.0.0.35;FBDV/iPhone14,5;FBSN/iOS;FBSS/3;FBCR/${name};FBID/phone;FBOP/5]`,
        `${apple} Mobile/15E148 [FBAN/FBIOS;FBAV/445.0.0.35;FBCR/${name};FBLC/en_US]`,
        `[FBAN/FB4A;FBAV/567.1;FBCR/O2;FBMF/${name};FBBD/${name};FBDV/${name};FBSV/16;]`,
        `Mozilla/5.0 (Linux; Android 10; ${name.replace('()', '')} Build/QP1A.190711) ${chrome}`,
    ];
    expect(agents.filter(isBot)).toEqual([]);
});
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
test.each([
    [phone, { isBot: false, platform: 'mobile' }],
    ['curl/8.14.1', { isBot: true }],
    [undefined, { isBot: true, platform: 'other' }],
    // Only the start of a very long agent is read.
    [`${phone}${' '.repeat(1000000)}Googlebot`, { isBot: false, platform: 'mobile' }],
])('a visit of the agent %s is %j', (agent, visit) => {
    expect(readVisit({ 'user-agent': agent }, { ownDomains: [] })).toMatchObject({
        ...visit,
        referrer: 'direct',
    });
});
