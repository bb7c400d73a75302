import {
  type CreateLinkAnswer,
  createLinkAnswerSchema,
  errorAnswerSchema,
} from '../../lib/links/answer-schemas.ts';
import type { CreateLinkRequest } from '../../lib/links/link-request.ts';
import { readToken } from '../given-token.ts';
import type { Stack } from '../stack.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText } from '../terminal/print.ts';

const timeoutMs = 10_000;

/** @throws {CommandError} if the API rejects the link. */
export async function createLink(stack: Stack, link: CreateLinkRequest): Promise<CreateLinkAnswer> {
  const answer = await post(stack, JSON.stringify(link));
  const { success, data } = createLinkAnswerSchema.safeParse(parseJson(answer));
  if (success) return data;
  throw new CommandError(`Expected a response from click-tally's API; got ${escapeText(answer)}`);
}

async function post(stack: Stack, body: string): Promise<string> {
  const headers = { authorization: `Bearer ${readToken(stack)}` };
  const { response, text } = await exchange(`${stack.output('ApiUrl')}/links`, {
    method: 'POST',
    body,
    headers,
  }).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new CommandError(`No response from the API of ${stack.name} (${message}).`);
  });
  if (response.ok) return text;
  const { data } = errorAnswerSchema.safeParse(parseJson(text));
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
