/** The possible failures of a request. */
export const failures = ['never sent', 'refused', 'answer lost', 'late', 'twice'] as const;
export type Failure = (typeof failures)[number];

/** Every connection between two parts. */
export const boundaries = [
  'creator → table: TransactWriteItems',
  'resolver → table: GetItem',
  'resolver → bus: PutEvents',
  'resolver → queue: SendMessage',
  'bus → queue: SendMessage',
  'queue → aggregator: Invoke',
  'aggregator → table: TransactWriteItems',
  'aggregator → table: BatchGetItem',
  'aggregator → queue: DeleteMessageBatch',
  'operator → queue: redrive',
] as const;
export type Boundary = (typeof boundaries)[number];

/** The points at which an instance can die. */
export type CrashPoint =
  | 'before a request is sent'
  | 'while a request is in flight'
  | 'as an answer arrives'
  | 'before the invocation answers'
  | 'after the invocation answers';
