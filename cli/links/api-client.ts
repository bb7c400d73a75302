import * as z from 'zod/mini';
import {
  createLinkAnswerSchema,
  deleteLinkAnswerSchema,
  errorAnswerSchema,
  importLinksAnswerSchema,
  type LinkAnswer,
  linkAnswerSchema,
  listLinksAnswerSchema,
} from '../../lib/links/answer-schemas.ts';
import type {
  CreateLinkRequest,
  ImportRequest,
  UpdateLinkRequest,
} from '../../lib/links/link-request.ts';
import { readCredential } from '../given-token.ts';
import type { Stack } from '../stack.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText } from '../terminal/print.ts';

const timeoutMs = 10_000;
const linksPerPage = '100';
// The number of today would be outdated in a file.
const pageSchema = z.object({ ...listLinksAnswerSchema.shape, links: z.array(linkAnswerSchema) });

interface Call<T extends z.ZodMiniType> {
  method?: string;
  /** With its query. */
  path: string;
  body?: object;
  answer: T;
}

/** @throws {CommandError} if the API rejects the link. */
export function createLink(stack: Stack, link: CreateLinkRequest) {
  const answer = createLinkAnswerSchema;
  return callApi(stack, { method: 'POST', path: '/links', body: link, answer });
}

/** @throws {CommandError} if the API rejects the request as a whole. */
export function importLinks(stack: Stack, links: ImportRequest['links']) {
  const call = { method: 'POST', path: '/links/import', body: { links } };
  return callApi(stack, { ...call, answer: importLinksAnswerSchema });
}

/** @throws {CommandError} if the API rejects the change. */
export function editLink(stack: Stack, code: string, change: UpdateLinkRequest) {
  const path = `/links/${encodeURIComponent(code)}`;
  return callApi(stack, { method: 'PATCH', path, body: change, answer: linkAnswerSchema });
}

/** @throws {CommandError} if the API rejects the deletion. */
export function deleteLink(stack: Stack, code: string) {
  const path = `/links/${encodeURIComponent(code)}`;
  return callApi(stack, { method: 'DELETE', path, answer: deleteLinkAnswerSchema });
}

/** @throws {CommandError} if the API rejects it. */
export function restoreLink(stack: Stack, code: string) {
  const path = `/links/${encodeURIComponent(code)}/restore`;
  return callApi(stack, { method: 'POST', path, answer: linkAnswerSchema });
}

/**
 * Yields the caller's links, or the deleted ones, newest first, a page at a time.
 * @throws {CommandError} if the API doesn't answer.
 */
export async function* listLinks(
  stack: Stack,
  { deleted = false } = {},
): AsyncGenerator<LinkAnswer[]> {
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({
      ...{ limit: linksPerPage, ...(deleted && { deleted: 'true' }) },
      ...(cursor && { cursor }),
    });
    const page = await callApi(stack, { path: `/links?${query}`, answer: pageSchema });
    yield page.links;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/**
 * Yields the caller's links as CSV, a page at a time, which make one file.
 * @throws {CommandError} if the API doesn't answer.
 */
export async function* readLinksAsCsv(stack: Stack): AsyncGenerator<string> {
  let path: string | undefined = `/links?format=csv&limit=${linksPerPage}`;
  while (path !== undefined) {
    const { text, headers } = await send(stack, { path });
    yield text;
    path = /^<(?:\/api)?(\/[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
}

/**
 * Reads one link's clicks as the API formats them.
 * @throws {CommandError} if the API doesn't answer.
 */
export async function readStats(stack: Stack, code: string, query: Record<string, string>) {
  const path = `/links/${encodeURIComponent(code)}/stats?${new URLSearchParams(query)}`;
  return (await send(stack, { path })).text;
}

/** @throws {CommandError} if the API rejects the request or answers with something else. */
async function callApi<T extends z.ZodMiniType>(stack: Stack, call: Call<T>): Promise<z.output<T>> {
  const { text } = await send(stack, call);
  const { success, data } = call.answer.safeParse(parseJson(text));
  if (success) return data;
  throw new CommandError(`Expected a response from click-tally's API; got ${escapeText(text)}`);
}

async function send(stack: Stack, { method = 'GET', path, body }: Omit<Call<never>, 'answer'>) {
  const { credential, prefix } = readCredential(stack);
  const { response, text } = await exchange(`${stack.output('ApiUrl')}${prefix}${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}` },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new CommandError(`No response from the API of ${stack.name} (${message}).`);
  });
  if (response.ok) return { text, headers: response.headers };
  const { data } = errorAnswerSchema.safeParse(parseJson(text));
  // API Gateway's own messages, such as "Too Many Requests", don't explain themselves.
  if (data && /\b[a-z]/.test(data.message)) throw new CommandError(escapeText(data.message));
  throw new CommandError(
    `The API of ${stack.name} answered ${response.status}: ${escapeText(data?.message ?? text)}`,
  );
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
