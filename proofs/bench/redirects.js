// Runs in a separate process and reports what a resolver's bundle needs: for its import and first
// request and, once it's warm, for each redirect.
import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
const [bundle = '', count = '0'] = process.argv.slice(2);
const redirects = Number(count);
const version = (major) => `AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0`;
const agents = [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${version(139)} Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 10; K) ${version(138)} Mobile Safari/537.36`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${version(137)} Safari/537.36 Edg/137.0.0.0`,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];
const startMs = performance.now();
const { handler } = await import(bundle);
const importMs = performance.now() - startMs;
const requestMs = performance.now();
await open('first', 0);
const firstMs = performance.now() - requestMs;
await repeat('link', (index) => `warm-${index}`);
const costs = {
    import: importMs,
    'first redirect': firstMs,
    'import and first redirect': importMs + firstMs,
    ...(await repeat('remembered link', () => 'first')),
    ...(await repeat('new link', (index) => `new-${index}`)),
};
process.send?.(costs, () => process.disconnect());
async function repeat(kind, codeOf) {
    const cpu = process.cpuUsage();
    const fromMs = performance.now();
    for (let index = 0; index < redirects; index++)
        await open(codeOf(index), index);
    const { user, system } = process.cpuUsage(cpu);
    const cpuMs = (user + system) / 1000;
    const tookMs = performance.now() - fromMs;
    return redirects
        ? { [`CPU, ${kind}`]: cpuMs / redirects, [`time, ${kind}`]: tookMs / redirects }
        : {};
}
async function open(code, index) {
    const headers = {
        'user-agent': agents[index % agents.length] ?? '',
        referer: 'https://www.google.com/',
    };
    const event = makeHttpEvent({ pathParameters: { code }, headers });
    const { statusCode } = await handler(event, makeContext(5000));
    if (statusCode !== 302)
        throw new Error(`expected a redirect; got ${statusCode}`);
}
