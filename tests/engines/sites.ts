import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pollUntil } from '../../local/engines/poll-until.ts';
import { listen } from '../../loopback/http-server.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a destination serves, by `Sec-Fetch-Dest`. */
const contents: Record<string, [type: string, body: string | Buffer]> = {
  image: ['image/png', Buffer.from(pixel, 'base64')],
  script: ['text/javascript', ''],
  style: ['text/css', ''],
  video: ['video/mp4', 'no film'],
  audio: ['audio/mpeg', 'no sound'],
};
const arrival = '<title>arrived</title><a id="on" href="/elsewhere">on</a>';

const held = { timeoutMs: 3_000 };

/** Two sites: one with pages that contain short links, and one to which the links lead. */
export async function startSites() {
  const pages = new Map<string, string>();
  const server = createServer(({ url = '', headers }, response) => {
    const [type, body] = contents[`${headers['sec-fetch-dest']}`] ?? ['text/html', arrival];
    const page = pages.get(url);
    if (url.startsWith('/file/')) response.setHeader('content-disposition', 'attachment');
    response.writeHead(200, { 'content-type': page ? 'text/html' : type }).end(page ?? body);
  });
  const { port, stop } = await listen(server);
  // Browsers say what a request is for, and look ahead, only where connections are secure. These are.
  return { pages, stop, site: `http://localhost:${port}`, destination: `http://127.0.0.1:${port}` };
}

/**
 * Starts a proxy to the API that counts the requests for each link. If a link's query is `lost`, the
 * connection dies when the API has answered. If it's `held`, the answer waits for a second request,
 * but at most three seconds: otherwise, the page may be gone before the second click. Chromium sends none.
 */
export async function startProxy(api: string) {
  const codes: string[] = [];
  const isRepeated = (pathname: string) =>
    codes.filter((code) => code === pathname.slice(1)).length > 1;
  const server = createServer(async (asked, response) => {
    const { pathname, search } = new URL(asked.url ?? '', api);
    codes.push(pathname.slice(1));
    const answer = await forward(asked, api);
    if (search === '?held' && !asked.headers['user-agent']?.includes('Chrome')) {
      await pollUntil(async () => isRepeated(pathname), held).catch(() => {});
    }
    if (search === '?lost') asked.socket.destroy();
    else pass(answer, response);
  });
  server.keepAliveTimeout = 60_000;
  const { url, stop } = await listen(server);
  const countRequests = (code: string) => codes.filter((other) => other === code).length;
  return { url, stop, countRequests };
}

async function forward(asked: IncomingMessage, api: string) {
  const { method, url, headers } = asked;
  // The local stack rejects other sites, and embeds at other ports.
  const { origin: _, host: __, ...others } = headers;
  const asking = asked.pipe(request(new URL(url ?? '', api), { method, headers: others }));
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return answer;
}

function pass(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}
