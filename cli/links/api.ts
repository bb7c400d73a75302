import {
  type CreateLinkAnswer,
  createLinkAnswerSchema,
  errorAnswerSchema,
} from '../../lib/links/answer-schemas.ts';
import { CommandError } from '../../terminal/command-error.ts';
import type { Stack } from '../stack.ts';

const timeoutMs = 10_000;

/** @throws {CommandError} if the API refuses the link. */
export async function createLink(
  stack: Stack,
  link: { url: string; code?: string },
): Promise<CreateLinkAnswer> {
  const answer = await post(stack, JSON.stringify(link));
  const { success, data } = createLinkAnswerSchema.safeParse(parseJson(answer));
  if (success) return data;
  throw new CommandError(`Expected the answer of click-tally's API; got ${answer}`);
}

async function post(stack: Stack, body: string): Promise<string> {
  const response = await fetch(`${stack.output('ApiUrl')}/links`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${readToken(stack)}` },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new CommandError(`No answer from the API of ${stack.name} (${message}).`);
  });
  const text = await response.text();
  if (response.ok) return text;
  const { data } = errorAnswerSchema.safeParse(parseJson(text));
  throw new CommandError(
    `The API of ${stack.name} answered ${response.status}: ${data?.message ?? text}`,
  );
}

function readToken({ name, token = process.env.TOKEN }: Stack): string {
  if (token) return token;
  throw new CommandError(
    `Expected the environment variable TOKEN to hold a token for ${name}. Get one with npm run user -- token.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
