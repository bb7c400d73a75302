import type {
  GetLinkStatsAnswer,
  ImportLinksAnswer,
  LinkAnswer,
  ListLinksAnswer,
  SumLinksAnswer,
} from '../../lib/links/answer-schemas.ts';
import type { ImportRequest, UpdateLinkRequest } from '../../lib/links/link-request.ts';
import type { BacklogAnswer } from '../../lib/live/answer-schemas.ts';
import { ApiError } from './problems.ts';

const timeoutMs = 10_000;

/** Returns an access token. Set `mustRenew` if the last one was refused. */
type TokenSource = (mustRenew?: boolean) => Promise<string>;

/**
 * The HTTP API on behalf of the viewer. Each call throws {@link ApiError}. `onExpired` is called
 * when the API doesn't accept the token and a new one isn't available.
 */
export function createApi(token: TokenSource, onExpired: () => void) {
  const attempt = async (path: string, init: RequestInit): Promise<Response> => {
    const first = await send(path, init, await token());
    const response = first.status === 401 ? await send(path, init, await token(true)) : first;
    if (response.ok) return response;
    const body = await readJson(response);
    throw new ApiError(response.status, `${body.message ?? response.statusText}`, body.fields);
  };
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    try {
      return await attempt(path, init);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) onExpired();
      throw error;
    }
  };
  const request = async <T>(path: string, init: RequestInit = {}): Promise<T> =>
    readJson(await call(path, init));
  const write = <T>(method: string, path: string, body: object) =>
    request<T>(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  return {
    listLinks: (query: { limit?: number; cursor?: string }) =>
      request<ListLinksAnswer>(`/links${toQuery(query)}`),
    sumLinks: (cursor: string) => request<SumLinksAnswer>(`/links/sum${toQuery({ cursor })}`),
    /** The links as CSV, a page at a time. The pages make one file. */
    async *readLinksAsCsv(): AsyncGenerator<Blob> {
      let path: string | undefined = '/links?format=csv&limit=100';
      while (path !== undefined) {
        const response = await call(path);
        yield await readBlob(response);
        path = /^<(\/[^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
    },
    /** A link's days and breakdowns as CSV. */
    async *readStatsAsCsv(code: string): AsyncGenerator<Blob> {
      yield await readBlob(await call(`/links/${code}/stats?format=csv`));
    },
    readStats: (code: string, query: { from?: string; to?: string }) =>
      request<GetLinkStatsAnswer>(`/links/${code}/stats${toQuery(query)}`),
    importLinks: (links: ImportRequest['links']) =>
      write<ImportLinksAnswer>('POST', '/links/import', { links }),
    updateLink: (code: string, update: UpdateLinkRequest) =>
      write<LinkAnswer>('PATCH', `/links/${code}`, update),
    readBacklog: () => request<BacklogAnswer>('/live/backlog'),
  };
}

async function send(path: string, init: RequestInit, token: string): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  try {
    return await fetch(path, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
  } catch {
    throw unreachedError();
  }
}

function readJson(response: Response) {
  return response.json().catch(() => ({}));
}

/** The connection may break before the response is complete. */
function readBlob(response: Response): Promise<Blob> {
  return response.blob().catch(() => {
    throw unreachedError();
  });
}

function unreachedError(): ApiError {
  return new ApiError(0, 'No response.');
}

function toQuery(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, `${value}`]));
  return query.size > 0 ? `?${query}` : '';
}
