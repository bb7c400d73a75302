import { HttpError } from '../../../lib/http/http-error.ts';
import { parseBody } from '../../../lib/http/parse-request.ts';
import type { CreateLinkAnswer } from '../../../lib/links/answer-schemas.ts';
import { notFoundError } from '../../../lib/links/code.ts';
import { formatDays, formatLinks } from '../../../lib/links/export.ts';
import {
  changedError,
  codeTakenError,
  quotaExceededError,
} from '../../../lib/links/link-answer.ts';
import {
  type ImportItem,
  importSchema,
  parseLinkUpdate,
  parseNewLink,
} from '../../../lib/links/link-request.ts';
import type { FakeLinks } from './fake-links.ts';

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}

interface Answer {
  statusCode: number;
  headers?: Record<string, string>;
  body: object | string;
}

const policy = { serviceHosts: ['127.0.0.1'], blockedDomains: ['blocked.example'] };

/** The routes' answers. A test can set `backlog` and `failWith`. */
export function createFakeApi(links: FakeLinks) {
  const state = {
    backlog: { waiting: 0, setAside: 0 },
    /** Overrides the status of every answer. */
    failWith: undefined as number | undefined,
    /** How many links can be imported until the daily limit is reached. */
    linksLeft: Number.POSITIVE_INFINITY,
    /** The requests, such as "GET /links". */
    requests: [] as string[],
  };
  const ok = (body: object, statusCode = 200): Answer => ({ statusCode, body });
  const asCsv = (body: string): Answer => ({
    ...{ statusCode: 200, headers: { 'content-type': 'text/csv' }, body },
  });
  const existing = (code: string) => {
    if (!links.has(code)) throw notFoundError(code);
    return code;
  };
  const codesAfter = (query: URLSearchParams) => {
    const codes = links.codes();
    return codes.slice(codes.indexOf(query.get('cursor') ?? '') + 1);
  };
  const list = (query: URLSearchParams) => {
    const limit = Number(query.get('limit') ?? 25);
    const codes = codesAfter(query);
    const shown = codes.slice(0, limit);
    const isMore = codes.length > limit;
    if (query.get('format') === 'csv') {
      const isFirst = !query.has('cursor');
      const next = `</links?format=csv&limit=${limit}&cursor=${shown.at(-1)}>; rel="next"`;
      return {
        ...asCsv(formatLinks(shown.map(links.describe), { isFirst })),
        ...(isMore && { headers: { link: next, 'content-type': 'text/csv' } }),
      };
    }
    return ok({ links: shown.map(links.list), ...(isMore && { cursor: shown.at(-1) }) });
  };
  const create = (body: string) => {
    const link = parseNewLink(JSON.parse(body), policy);
    const { url, expiresAt, code = Math.random().toString(36).slice(2, 9) } = link;
    if (links.has(code)) throw codeTakenError(code);
    if (code === 'quota') throw quotaExceededError(1_000);
    links.add(code, url);
    links.update(code, { expiresAt });
    const { shortUrl } = links.describe(code);
    return ok({ code, shortUrl, url, expiresAt }, 201);
  };
  const imported = new Map<string, string>();
  const importItem = ({ key, ...link }: ImportItem) => {
    const known = imported.get(key);
    if (known !== undefined) return { ...links.describe(known), outcome: 'existing' };
    if (state.linksLeft <= 0) {
      return { outcome: 'over-quota', message: quotaExceededError(1_000).message };
    }
    try {
      const answer = create(JSON.stringify(link)).body as CreateLinkAnswer;
      imported.set(key, answer.code);
      state.linksLeft -= 1;
      return { outcome: 'created', code: answer.code, shortUrl: answer.shortUrl };
    } catch (error) {
      if (error instanceof HttpError) {
        return { outcome: 'refused', message: error.message, fields: error.fields };
      }
      throw error;
    }
  };
  const edit = (code: string, body: string) => {
    const update = parseLinkUpdate(JSON.parse(body), policy);
    const { expected = {} } = update;
    const link = links.describe(code);
    const isOther =
      (expected.url !== undefined && expected.url !== link.url) ||
      (expected.expiresAt !== undefined && expected.expiresAt !== (link.expiresAt ?? null));
    if (isOther) throw changedError(code, link);
    links.update(code, update);
    return ok(links.describe(code));
  };
  const route = ({ method, path, query, body }: Call): Answer => {
    const [, first, second = '', third] = path.split('/');
    if (first === 'links' && third === 'stats') {
      const [from, to] = [query.get('from') ?? undefined, query.get('to') ?? undefined];
      if (query.get('format') === 'csv') {
        return asCsv(formatDays(links.days(existing(second), from, to)));
      }
      return ok(links.stats(existing(second), from, to));
    }
    if (method === 'GET' && path === '/links') return list(query);
    if (path === '/links/import') {
      return ok({ outcomes: parseBody(importSchema, JSON.parse(body)).links.map(importItem) });
    }
    if (method === 'PATCH' && first === 'links') {
      return edit(existing(second), body);
    }
    if (path === '/live/backlog') {
      return ok({ ...state.backlog, readAt: new Date().toISOString() });
    }
    throw new HttpError(404, 'Not Found');
  };

  return {
    state,
    answer(call: Call & { token?: string }): Answer {
      state.requests.push(`${call.method} ${call.path}`);
      if (!call.token) return { statusCode: 401, body: { message: 'Unauthorized' } };
      if (state.failWith) return { statusCode: state.failWith, body: { message: 'It failed.' } };
      try {
        return route(call);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        const { statusCode, message, headers, fields } = error;
        return { statusCode, headers, body: { message, fields } };
      }
    },
  };
}
