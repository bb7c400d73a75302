import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import {
  createLinkAnswerSchema,
  deleteLinkAnswerSchema,
  errorAnswerSchema,
  importLinksAnswerSchema,
  linkAnswerSchema,
  listLinksAnswerSchema,
} from '../../lib/links/api/answer-schemas.ts';
import type {
  CreateLinkRequest,
  ImportRequest,
  UpdateLinkRequest,
} from '../../lib/links/api/link-request.ts';
import { readCredential } from '../given-token.ts';
import type { Stack } from '../stack.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText } from '../terminal/print.ts';

const timeoutMs = 10_000;
const attemptsWithKey = 3;
const linksPerPage = '100';
// The number of today would be outdated in a file.
const pageSchema = z.object({ ...listLinksAnswerSchema.shape, links: z.array(linkAnswerSchema) });

interface ApiRequest {
  method?: string;
  /** With its query. */
  path: string;
  body?: object;
  /** The request is sent again if its answer is lost: with the same key, it's done once. */
  idempotencyKey?: string;
}

// All functions here throw a CommandError if the API rejects the request or doesn't answer.

export function createLink(stack: Stack, link: CreateLinkRequest) {
  const request = { method: 'POST', path: '/links', body: link, idempotencyKey: randomUUID() };
  return call(stack, createLinkAnswerSchema, request);
}

export function importLinks(stack: Stack, links: ImportRequest['links']) {
  const request = { method: 'POST', path: '/links/import', body: { links } };
  return call(stack, importLinksAnswerSchema, request);
}

export function editLink(stack: Stack, code: string, change: UpdateLinkRequest) {
  return call(stack, linkAnswerSchema, { method: 'PATCH', path: pathOf(code), body: change });
}

export function deleteLink(stack: Stack, code: string) {
  return call(stack, deleteLinkAnswerSchema, { method: 'DELETE', path: pathOf(code) });
}

export function restoreLink(stack: Stack, code: string) {
  return call(stack, linkAnswerSchema, { method: 'POST', path: `${pathOf(code)}/restore` });
}

/** Yields the caller's links, or the deleted ones, newest first. It holds one page at a time. */
export async function* listLinks(stack: Stack, { deleted = false } = {}) {
  const query = new URLSearchParams({ limit: linksPerPage, ...(deleted && { deleted: 'true' }) });
  for (;;) {
    const { links, cursor } = await call(stack, pageSchema, { path: `/links?${query}` });
    yield* links;
    if (cursor === undefined) return;
    query.set('cursor', cursor);
  }
}

/** Yields the caller's links as CSV, a page at a time, which make one file. */
export async function* readLinksAsCsv(stack: Stack): AsyncGenerator<string> {
  let path: string | undefined = `/links?format=csv&limit=${linksPerPage}`;
  while (path !== undefined) {
    const { text, headers } = await send(stack, { path });
    yield text;
    path = /^<(?:\/api)?(\/[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
}

/** Reads one link's clicks as the API formats them. */
export async function readStats(stack: Stack, code: string, query: Record<string, string>) {
  const { text } = await send(stack, {
    path: `${pathOf(code)}/stats?${new URLSearchParams(query)}`,
  });
  return text;
}

function pathOf(code: string): string {
  return `/links/${encodeURIComponent(code)}`;
}

async function call<T extends z.ZodMiniType>(stack: Stack, answer: T, request: ApiRequest) {
  const { text } = await send(stack, request);
  const { success, data } = answer.safeParse(parseJson(text));
  if (success) return data;
  throw new CommandError(`Expected a response from click-tally's API; got ${escapeText(text)}`);
}

async function send(stack: Stack, { method = 'GET', path, body, idempotencyKey }: ApiRequest) {
  const { credential, prefix } = readCredential(stack);
  const request = {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
  const attempts = idempotencyKey ? attemptsWithKey : 1;
  const { response, text } = await exchangeUntilAnswered(
    `${stack.output('ApiUrl')}${prefix}${path}`,
    request,
    attempts,
  ).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error;
    const doubt = idempotencyKey ? ' The link may have been created: see links list.' : '';
    throw new CommandError(`No response from the API of ${stack.name} (${message}).${doubt}`);
  });
  if (response.ok) return { text, headers: response.headers };
  const { data } = errorAnswerSchema.safeParse(parseJson(text));
  // API Gateway's own messages, such as "Too Many Requests", don't explain themselves.
  if (data && /\b[a-z]/.test(data.message)) throw new CommandError(escapeText(data.message));
  throw new CommandError(
    `The API of ${stack.name} answered ${response.status}: ${escapeText(data?.message ?? text)}`,
  );
}

/** Repeats a request while it isn't known whether it was done. */
async function exchangeUntilAnswered(url: string, request: RequestInit, attempts: number) {
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    const exchanged = await exchange(url, request).catch(() => undefined);
    if (exchanged && exchanged.response.status < 500) return exchanged;
    await sleep(attempt * 1_000);
  }
  return exchange(url, request);
}

/** The connection may break before the response is complete. */
async function exchange(url: string, request: RequestInit) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(timeoutMs) });
  return { response, text: await response.text() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
