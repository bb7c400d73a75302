import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { InjectedFault } from './fault-injector.ts';
import type { Approach } from './names.ts';

/** The settings of a fresh instance of an approach's function. */
export interface InstanceSettings {
  approach: Approach;
  tableName: string;
  dynamodbEndpoint: string;
  silentPort: number;
}

export interface Invocation {
  event: SQSEvent;
  timeoutMs: number;
  /** How far the function's clock is ahead of the real one. */
  clockOffsetMs: number;
  fault?: InjectedFault | undefined;
}

/** Messages to a function's process. */
export type ToFunction =
  | { type: 'open'; settings: InstanceSettings }
  | { type: 'invoke'; invocation: Invocation }
  | { type: 'go' };

/** Messages from a function's process. */
export type FromFunction =
  | { type: 'ready' }
  | { type: 'opened' }
  | { type: 'waiting' }
  | { type: 'dying' }
  | { type: 'answered'; response: SQSBatchResponse | undefined }
  | { type: 'failed'; error: string };
