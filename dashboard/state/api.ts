import type { CreatedKey, ListKeysAnswer, NewKey } from '../../lib/api-keys/key-schemas.ts';
import type {
  CreateLinkAnswer,
  DeleteLinkAnswer,
  GetLinkStatsAnswer,
  ImportLinksAnswer,
  LinkAnswer,
  ListLinksAnswer,
} from '../../lib/links/api/answer-schemas.ts';
import type {
  CreateLinkRequest,
  ImportRequest,
  UpdateLinkRequest,
} from '../../lib/links/api/link-request.ts';
import type { BacklogAnswer } from '../../lib/live/messages.ts';
import type { OverviewAnswer } from '../../lib/overview/overview-schemas.ts';
import type { Value } from './counts.ts';
import { ApiError, timeoutStatus } from './problems.ts';

const timeoutMs = 10_000;

/** Inclusive UTC days. A missing end is open. */
interface DayRange {
  from?: string;
  to?: string;
}

/** Returns an access token. Set `mustRenew` if the last one was rejected. */
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
    const body = await response.json().catch(() => ({}));
    const message = `${body.message ?? response.statusText}`;
    const retryAfter = Number(response.headers.get('retry-after')) || undefined;
    throw new ApiError(response.status, message, body.fields, retryAfter);
  };
  const call = (path: string, init: RequestInit = {}) =>
    attempt(path, init).catch((error) => {
      if (error instanceof ApiError && error.status === 401) onExpired();
      throw error;
    });
  const request = async <T>(path: string, init: RequestInit = {}): Promise<T> =>
    (await call(path, init)).json().catch(throwUnanswered);
  const write = <T>(method: string, path: string, body: object, headers: HeadersInit = {}) =>
    request<T>(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  return {
    listLinks: (query: { limit?: number; cursor?: string; deleted?: 'true' }) =>
      request<ListLinksAnswer>(`/links${toQuery(query)}`),
    /** The links as CSV, a page at a time. The pages make one file. */
    async *readLinksAsCsv(): AsyncGenerator<Blob> {
      let path: string | undefined = '/links?format=csv&limit=1000';
      while (path !== undefined) {
        const response = await call(path);
        yield await response.blob().catch(throwUnanswered);
        path = /^<(\/[^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
    },
    /** A file of a link's days and breakdowns. */
    async *readStatsAs(format: string, code: string, days: DayRange): AsyncGenerator<Blob> {
      const response = await call(`/links/${code}/stats${toQuery({ format, ...days })}`);
      yield await response.blob().catch(throwUnanswered);
    },
    /** The clicks of a breakdown's value by day. The JSON has its sum only, and the CSV each day. */
    async readValue(code: string, { breakdown, name }: Value, days: DayRange) {
      const response = await call(`/links/${code}/stats${toQuery({ format: 'csv', ...days })}`);
      const text = await response.text().catch(throwUnanswered);
      const [heads = [], ...lines] = text.split('\n').map((line) => line.split(','));
      const column = heads.indexOf(`clicks by ${breakdown} ${name}`);
      return new Map(lines.map(([date = '', ...counts]) => [date, Number(counts[column - 1])]));
    },
    readStats: (code: string, query: DayRange) =>
      request<GetLinkStatsAnswer>(`/links/${code}/stats${toQuery({ ...query })}`),
    readOverview: (query: Record<string, string | undefined>) =>
      request<OverviewAnswer>(`/links/overview${toQuery(query)}`),
    /** A file of an overview. */
    async *readOverviewAs(query: Record<string, string | undefined>): AsyncGenerator<Blob> {
      const response = await call(`/links/overview${toQuery(query)}`);
      yield await response.blob().catch(throwUnanswered);
    },
    /** Another request with the same key and link finds the link that the first one created. */
    createLink: (link: CreateLinkRequest, key: string) =>
      write<CreateLinkAnswer>('POST', '/links', link, { 'idempotency-key': key }),
    importLinks: (request: ImportRequest) =>
      write<ImportLinksAnswer>('POST', '/links/import', request),
    updateLink: (code: string, update: UpdateLinkRequest) =>
      write<LinkAnswer>('PATCH', `/links/${code}`, update),
    deleteLink: (code: string) => request<DeleteLinkAnswer>(`/links/${code}`, { method: 'DELETE' }),
    restoreLink: (code: string) =>
      request<LinkAnswer>(`/links/${code}/restore`, { method: 'POST' }),
    listKeys: () => request<ListKeysAnswer>('/api/keys'),
    createKey: (key: NewKey) => write<CreatedKey>('POST', '/api/keys', key),
    revokeKey: (id: string) => request<object>(`/api/keys/${id}`, { method: 'DELETE' }),
    readBacklog: () => request<BacklogAnswer>('/live/backlog'),
  };
}

function send(path: string, init: RequestInit, token: string): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(timeoutMs);
  return fetch(path, { ...init, headers, signal }).catch(throwUnanswered);
}

/** The connection may fail, or time out, before the response is complete. */
function throwUnanswered(error: Error): never {
  throw new ApiError(error.name === 'TimeoutError' ? timeoutStatus : 0, 'No response.');
}

function toQuery(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, `${value}`]));
  return query.size > 0 ? `?${query}` : '';
}
