import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { rejectForeignRequests } from '../../../loopback/foreign-requests.ts';

const page = 'localhost:3000';

/** Whether the server of this host answers a request. */
function isAnswered(url: string, headers: Record<string, string>): boolean {
  let isAnswered = false;
  const emit: Server['emit'] = () => {
    isAnswered = true;
    return true;
  };
  const server = { emit };
  const answer = { writeHead: () => answer, end: () => answer } as unknown as ServerResponse;
  rejectForeignRequests(server, 3_000);
  server.emit('request', { url, headers: { host: page, ...headers } } as IncomingMessage, answer);
  return isAnswered;
}

/** What browsers send with requests from a page of another site, or of another port. */
const from = (site: string, purpose: string) => {
  return { 'sec-fetch-site': site, 'sec-fetch-dest': purpose };
};
const purposes = ['image', 'script', 'iframe', 'empty', 'object', 'video', 'style'];
const foreign = ['cross-site', 'same-site'].flatMap((site) =>
  purposes.map((purpose) => from(site, purpose)),
);
const ofPage = [
  ...['/', '/links', '/links/spring/stats', '/live/backlog', '/assets/page.js', '/a..b', '/health'],
];

test.each([
  ['it loads no page, data or file', ofPage, {}, false],
  ['it can embed a short link', ['/spring', '/spring?utm=a', '/-_-_', '/menu.pdf'], {}, true],
  ['it can embed nothing of another server', ['/auth'], { host: 'localhost:4000' }, false],
])("another website's page is foreign: %s", (_, urls, headers, expected) => {
  const answers = urls.flatMap((url) =>
    foreign.map((sent) => isAnswered(url, { ...sent, ...headers })),
  );

  expect(new Set(answers)).toEqual(new Set([expected]));
});

test.each([
  ['a command', {}],
  ['the address bar', from('none', 'document')],
  ['the page itself', from('same-origin', 'empty')],
  ['a link on another website', from('cross-site', 'document')],
  ['the sign-in, which returns to the page', from('same-site', 'document')],
  ['the page on another port', { ...from('same-site', 'empty'), origin: `http://${page}` }],
])('%s is answered', (_, headers) => {
  expect(isAnswered('/links', headers)).toBe(true);
});

test.each([
  ['an origin that looks like the page', { origin: 'http://localhost:3000.evil.example' }],
  ['an origin over TLS', { origin: 'https://localhost:3000' }],
  ['an origin of another port', { ...from('same-site', 'document'), origin: 'http://localhost:1' }],
])('%s is rejected, even for a short link', (_, headers) => {
  expect(isAnswered('/spring', headers)).toBe(false);
});
