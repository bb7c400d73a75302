import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { refuseForeignRequests } from '../../../cli/loopback/foreign-requests.ts';

const page = 'localhost:3000';

/** Whether the server of this host answers a request. */
function isAnswered(url: string, headers: Record<string, string>): boolean {
  let isAnswered = false;
  const server: Pick<Server, 'emit'> = {
    emit: () => {
      isAnswered = true;
      return true;
    },
  };
  const answer = { writeHead: () => answer, end: () => answer } as unknown as ServerResponse;
  refuseForeignRequests(server, 3_000);
  server.emit('request', { url, headers: { host: page, ...headers } } as IncomingMessage, answer);
  return isAnswered;
}

/** What browsers send with requests from a page of another site, or of another port. */
const from = (site: string, purpose: string) => ({
  'sec-fetch-site': site,
  'sec-fetch-dest': purpose,
});
const purposes = ['image', 'script', 'iframe', 'empty', 'object', 'video', 'style'];
const foreign = ['cross-site', 'same-site'].flatMap((site) =>
  purposes.map((purpose) => from(site, purpose)),
);

test.each([
  '/',
  '/links',
  '/links/spring/stats',
  '/live/backlog',
  '/assets/page.js',
  '/a.b',
  '/health',
])("another website's page can't load %s", (url) => {
  expect(foreign.filter((headers) => isAnswered(url, headers))).toEqual([]);
});

test.each(['/spring', '/spring?utm=a', '/-_-_'])('it can embed a short link: %s', (url) => {
  expect(foreign.filter((headers) => !isAnswered(url, headers))).toEqual([]);
});

test('it can embed nothing of another server of the stack', () => {
  const onOtherPort = foreign.map((headers) => ({ ...headers, host: 'localhost:4000' }));

  expect(onOtherPort.filter((headers) => isAnswered('/auth', headers))).toEqual([]);
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
  ['an origin of another port', { ...from('same-site', 'document'), origin: 'http://localhost:1' }],
])('%s is refused, even for a short link', (_, headers) => {
  expect(isAnswered('/spring', headers)).toBe(false);
});
