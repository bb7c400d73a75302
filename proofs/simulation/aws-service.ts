import type { Instance } from './instance.ts';

/** An answer of an AWS service; the body is AWS JSON. */
export interface Answer {
  status: number;
  body: string;
}

/** An error as AWS JSON carries it. */
export function serviceError(status: number, name: string, message: string, more = {}): Answer {
  return { status, body: JSON.stringify({ __type: name, message, ...more }) };
}

/** A service behind the network: it replies when it is done, which may take virtual time. */
export interface AwsService {
  handle(
    operation: string,
    input: unknown,
    reply: (answer: Answer) => void,
    caller: Instance,
  ): void;
}
