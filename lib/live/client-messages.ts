import * as z from 'zod/mini';
import { codeSchema } from '../code-schema.ts';
import { checkBytes, parse, parseJson, type Subject } from '../validation.ts';

const maxMessageBytes = 4_096;
const maxCodes = 25;
const expectedCodes = `a list of 1 to ${maxCodes} codes`;

const codesSchema = z.pipe(
  z
    .array(codeSchema, expectedCodes)
    .check(z.minLength(1, expectedCodes), z.maxLength(maxCodes, expectedCodes)),
  z.transform((codes) => [...new Set(codes)]),
);

export const clientMessageSchema = z.pipe(
  z.looseObject({}, 'a JSON object such as {"action":"ping"}'),
  z.discriminatedUnion(
    'action',
    [
      z.object({ action: z.literal('watch'), codes: codesSchema }),
      z.object({ action: z.literal('unwatch'), codes: codesSchema }),
      z.object({ action: z.literal('ping') }),
    ],
    '"watch", "unwatch" or "ping"',
  ),
);

/** A message from the live page. Its codes are distinct. */
export type ClientMessage = z.output<typeof clientMessageSchema>;

/** The client's message isn't valid. This error's message says why. */
export class ClientMessageError extends Error {
  override readonly name = 'ClientMessageError';
}

const subject: Subject = {
  name: 'the message',
  reject: (reason) => new ClientMessageError(reason),
};

/** Parses the text of a message. Throws {@link ClientMessageError}. */
export function parseClientMessage(text: string): ClientMessage {
  checkBytes(Buffer.byteLength(text), maxMessageBytes, subject);
  return parse(clientMessageSchema, parseJson(text, subject), subject);
}
