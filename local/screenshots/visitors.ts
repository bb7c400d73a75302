import { setTimeout as pause } from 'node:timers/promises';

const intervalMs = 100;
const browsers = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36',
];
const referers = ['https://www.instagram.com/', 'https://www.google.com/', undefined];

/** Opens a link ten times a second, like visitors, until it's disposed. */
export function startVisitors(url: string): AsyncDisposable {
  const stopping = new AbortController();
  const visiting = visitUntil(url, stopping.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await visiting;
    },
  };
}

async function visitUntil(url: string, signal: AbortSignal): Promise<void> {
  const visits: Promise<void>[] = [];
  for (let index = 0; !signal.aborted; index += 1) {
    visits.push(visit(url, index));
    await pause(intervalMs);
  }
  await Promise.all(visits);
}

async function visit(url: string, index: number): Promise<void> {
  const referer = referers[index % referers.length];
  const headers = {
    'user-agent': browsers[index % browsers.length] ?? '',
    ...(referer && { referer }),
  };
  const response = await fetch(url, { headers, redirect: 'manual' });
  await response.text();
}
