import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import crawlers from 'crawler-user-agents';
import { parse } from 'yaml';
import { findSpiders } from './spiders.ts';
const require = createRequire(import.meta.url);
/** Reads all collections. Each agent is in its collection once. */
export async function readCollections() {
    const readers = {
        'crawler-user-agents': readCrawlers,
        'top-crawler-agents': readTopCrawlers,
        '@financial-times/useragent_parser': readUapCore,
        woothee: readWoothee,
        'random-useragent': readRandom,
        'user-agents': readBrowsers,
        'top-user-agents': readTopBrowsers,
        'user-agent-array': readArray,
        'ua-parser-js-1': readUaParser,
    };
    return Promise.all(Object.entries(readers).map(async ([name, read]) => {
        const { name: original, version } = await readJson(`${name}/package.json`);
        const agents = new Map((await read()).map((agent) => [agent.text, agent]));
        return { package: original, version, agents: [...agents.values()] };
    }));
}
/** Agents of bots, which their owners documented or which were seen. */
async function readCrawlers() {
    return crawlers.flatMap(({ instances }) => instances).map(toBot);
}
async function readTopCrawlers() {
    return (await readJson('top-crawler-agents/index.json')).map(toBot);
}
/** The tests of uap-core, which its own package lacks. Its rules say which ones are spiders. */
async function readUapCore() {
    const tests = await readText('@financial-times/useragent_parser/test/ua.test.js');
    const texts = tests.matchAll(/uaParser\(("(?:[^"\\]|\\.)*")\)/g);
    const agents = [...texts].map(([, text = '""']) => JSON.parse(text));
    return findSpiders(agents, await readText('uap-core/regexes.yaml'));
}
const woothees = {
    crawler: { isBot: true },
    pc: { device: 'desktop' },
    // Its smartphones include tablets.
    smartphone: {},
    mobilephone: { device: 'mobile' },
    appliance: { device: 'other' },
};
async function readWoothee() {
    const names = [
        ...['appliance', 'crawler', 'crawler_google', 'crawler_nonmajor', 'mobilephone_au'],
        ...['mobilephone_docomo', 'mobilephone_misc', 'mobilephone_softbank', 'mobilephone_willcom'],
        ...['pc_misc', 'pc_windows', 'smartphone_android', 'smartphone_ios', 'smartphone_misc'],
    ];
    const files = names.map((name) => readText(`woothee/woothee/testsets/${name}.yaml`));
    const tests = (await Promise.all(files)).flatMap((text) => parse(text) ?? []);
    return tests.flatMap(({ target, category }) => {
        const known = woothees[category];
        return known ? [{ text: target, isBot: false, ...known }] : [];
    });
}
const botFolders = /Spiders|Downloaders|Validators|Libraries|Feed Readers/;
const deviceFolders = [
    [/Tablets|Kindle|Barnes/, 'tablet'],
    [/Game Consoles/, 'other'],
    [/^\/Browsers/, 'desktop'],
];
async function readRandom() {
    const all = await readJson('random-useragent/useragent-data.json');
    return all
        .filter(({ folder }) => folder !== '/Miscellaneous/Miscellaneous')
        .map(({ folder, userAgent }) => {
        const [, device] = deviceFolders.find(([pattern]) => pattern.test(folder)) ?? [];
        return { text: userAgent, isBot: botFolders.test(folder), device };
    });
}
/** Visits to sites, by their share. */
async function readBrowsers() {
    const main = require.resolve('user-agents');
    const file = path.join(path.dirname(main), 'user-agents.json');
    const all = JSON.parse(await readFile(file, 'utf8'));
    return all.map((one) => toPerson(one.userAgent, one.deviceCategory));
}
async function readTopBrowsers() {
    return (await readJson('top-user-agents/src/index.json')).map((text) => toPerson(text));
}
async function readArray() {
    return (await readJson('user-agent-array/user-agents.json')).map((text) => toPerson(text));
}
const uaParserDevices = {
    mobile: 'mobile',
    tablet: 'tablet',
    smarttv: 'other',
    console: 'other',
    wearable: 'other',
    embedded: 'other',
};
/** The tests of ua-parser-js. Later versions don't ship them. */
async function readUaParser() {
    const tests = await Promise.all(['browser', 'os', 'device'].map((name) => readJson(`ua-parser-js-1/test/${name}-test.json`)));
    return tests.flat().map(({ ua, expect }) => toPerson(ua, uaParserDevices[expect.type]));
}
function toBot(text) {
    return { text, isBot: true };
}
function toPerson(text, device) {
    return { text, isBot: false, device };
}
async function readJson(file) {
    return JSON.parse(await readText(file));
}
/** Reads a package's file, which its exports may not name. */
async function readText(file) {
    const dirs = require.resolve.paths(file) ?? [];
    for (const dir of dirs) {
        try {
            return await readFile(path.join(dir, file), 'utf8');
        }
        catch (error) {
            if (error.code !== 'ENOENT')
                throw error;
        }
    }
    throw new Error(`expected ${file} in one of ${dirs.join(', ')}; run npm --prefix proofs ci`);
}
