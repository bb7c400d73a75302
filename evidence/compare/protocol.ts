import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Trouble } from './fault-injector.ts';
import type { Approach, Effect } from './names.ts';

/** Makes the process a fresh instance of an approach's function. */
export type Instance = {
  approach: Approach;
  effect: Effect;
  tableName: string;
  dynamodbEndpoint: string;
  paymentUrl: string;
  nowherePort: number;
};

export type Invocation = {
  event: SQSEvent;
  /** How long the function has, and how far ahead its clock is. */
  timeoutMs: number;
  clockOffsetMs: number;
  trouble?: Trouble | undefined;
};

/** What is said to a function's process. */
export type ToFunction =
  | { type: 'open'; instance: Instance }
  | { type: 'invoke'; invocation: Invocation }
  | { type: 'go' };

/** What a function's process says. */
export type FromFunction =
  | { type: 'ready' }
  | { type: 'opened' }
  | { type: 'waiting' }
  | { type: 'dying' }
  | { type: 'answered'; response: SQSBatchResponse | undefined }
  | { type: 'failed'; error: string };
