import { expect, test } from 'vitest';
import { readVisit } from '../../../lib/clicks/visit.ts';
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const brands = '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"';
const visit = (headers, hostingIsBot = false) => readVisit({ 'user-agent': chrome, ...headers }, { ownDomains: [], hostingIsBot });
test.each([
    // PostHog/posthog#102006: ChatGPT's agent.
    { 'signature-agent': '"https://chatgpt.com"' },
    { 'signature-input': 'sig1=("@authority");keyid="x";alg="ed25519";tag="web-bot-auth"' },
    // hyperwatch/hyperwatch#560
    { 'signature-agent': '"https://crawler.exa.ai/.well-known/http-message-signatures-directory"' },
    { from: 'bingbot(at)microsoft.com' },
    { 'x-scanner': 'Netsparker' },
    { 'cf-worker': 'worker.example.com' },
    { 'sec-ch-ua': '"HeadlessChrome";v="142", "Chromium";v="142", "Not_A Brand";v="99"' },
    // langfuse/langfuse-docs#2496
    { accept: 'text/markdown, text/html;q=0.9, */*;q=0.5' },
])("a visit with a browser's agent is a bot's if it has the headers %j", (headers) => {
    expect(visit(headers).isBot).toBe(true);
});
test.each([
    { 'sec-ch-ua': brands, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    { from: '', 'signature-agent': '' },
    // Only the start of a header is read.
    { 'sec-ch-ua': `${brands}${' '.repeat(10000)}"HeadlessChrome"` },
])("a visit with a browser's agent is a person's with the headers %j", (headers) => {
    expect(visit(headers).isBot).toBe(false);
});
test("a visit from a data center is what its agent says, unless the stage's param makes it a bot", () => {
    const hosting = { 'cloudfront-viewer-asn': '16509' };
    expect(visit(hosting).isBot).toBe(false);
    expect(visit(hosting, true)).toMatchObject({ isBot: true, network: 'hosting' });
    expect(visit({ 'cloudfront-viewer-asn': '3320' }, true).isBot).toBe(false);
    expect(visit({}, true)).toMatchObject({ isBot: false, network: 'unknown' });
});
test.each([
    ['hosting', ['16509', '8075', '24940', '396982', '63949']],
    // Proofpoint, Mimecast and Barracuda, which scan mail.
    ['hosting', ['22843', '42427', '15324']],
    // Apple's Private Relay at Cloudflare, Akamai and Fastly; Opera Mini; Zscaler; Netskope.
    ['other', ['13335', '36183', '20940', '54113', '39832', '22616', '55256']],
    // Google's own, Apple's, and Deutsche Telekom's network; public Wi-Fi; a university; no number.
    ['other', ['15169', '714', '3320', '41012', '12816', 'AS16509', '']],
    ['unknown', [undefined]],
])('the network is %s for each number of %j', (network, numbers) => {
    for (const number of numbers) {
        const headers = { 'cloudfront-viewer-asn': number };
        expect(readVisit(headers, { ownDomains: [] }).network).toBe(network);
    }
});
