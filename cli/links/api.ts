import * as z from 'zod/mini';
import { CommandError } from '../../terminal/command-error.ts';
import type { Stack } from '../stack.ts';

const timeoutMs = 10_000;

const linkSchema = z.object({ code: z.string(), url: z.string() });
const refusalSchema = z.object({ message: z.string() });

export type Link = z.infer<typeof linkSchema>;

/** @throws {CommandError} if the API refuses the link. */
export async function createLink(
  stack: Stack,
  link: { url: string; code?: string },
): Promise<Link> {
  const answer = await post(stack, JSON.stringify(link));
  const { success, data } = linkSchema.safeParse(parseJson(answer));
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
  const { data } = refusalSchema.safeParse(parseJson(text));
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
