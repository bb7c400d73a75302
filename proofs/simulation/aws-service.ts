import { hash } from 'node:crypto';
import type { Instance } from './instance.ts';

/** An answer of an AWS service. The body is AWS JSON. */
export interface Answer {
  status: number;
  body: string;
}

/** An error in AWS JSON. */
export function serviceError(status: number, name: string, message: string, more = {}): Answer {
  return { status, body: JSON.stringify({ __type: name, message, ...more }) };
}

/** SQS's answer to SendMessage. */
export function sentAnswer(MessageId: string, messageBody: string): Answer {
  const MD5OfMessageBody = hash('md5', messageBody);
  return { status: 200, body: JSON.stringify({ MessageId, MD5OfMessageBody }) };
}

/** A service behind the network. A reply may take virtual time. */
export interface AwsService {
  handle(
    operation: string,
    input: unknown,
    reply: (answer: Answer) => void,
    caller: Instance,
  ): void;
}
