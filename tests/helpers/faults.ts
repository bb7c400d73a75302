import {
  type CancellationReason,
  type DynamoDBClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  TransactionCanceledException,
  type TransactWriteItem,
  type TransactWriteItemsInput,
} from '@aws-sdk/client-dynamodb';
import type { DeserializeMiddleware, HandlerExecutionContext } from '@smithy/types';

/** A request's error, before it reaches DynamoDB or after DynamoDB has executed it. */
export interface Fault<Input = TransactWriteItemsInput> {
  before?: (input: Input) => Error | undefined | Promise<undefined>;
  after?: (input: Input) => Error | undefined;
}

/** Makes a client's TransactWriteItems requests fail, below the SDK's retries. */
export function injectFault(client: DynamoDBClient, fault: Fault): void {
  injectFaults(client, ({ commandName }) =>
    commandName === 'TransactWriteItemsCommand' ? fault : {},
  );
}

/** Makes a client's requests fail, below the SDK's retries. */
export function injectFaults(
  client: DynamoDBClient,
  findFault: (context: HandlerExecutionContext) => Fault<never>,
): void {
  const failing: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =
    (next, context) => async (args) => {
      const { before, after } = findFault(context);
      const rejected = await before?.(args.input as never);
      if (rejected) throw rejected;
      const result = await next(args);
      const lost = after?.(args.input as never);
      if (lost) throw lost;
      return result;
    };
  client.middlewareStack.add(failing, { step: 'deserialize', priority: 'low' });
}

/** A cancellation for one reason, at all positions or at those of some items. */
export function cancellation(
  { TransactItems = [] }: TransactWriteItemsInput,
  reason: CancellationReason,
  isAffected: (item: TransactWriteItem) => boolean = () => true,
): Error {
  return new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: TransactItems.map((item) =>
      isAffected(item) ? reason : { Code: 'None' },
    ),
  });
}

/** A conflict at the items whose partition key has this prefix. Undefined if there are none. */
export function conflictAt(prefix: string, input: TransactWriteItemsInput): Error | undefined {
  const isAffected = ({ Update }: TransactWriteItem) =>
    Update?.Key?.PK?.S?.startsWith(prefix) ?? false;
  if (!input.TransactItems?.some(isAffected)) return undefined;
  return cancellation(input, { Code: 'TransactionConflict' }, isAffected);
}

/** An error that DynamoDB returns. */
export function serviceError(name: string, httpStatusCode: number): Error {
  const $fault = httpStatusCode < 500 ? 'client' : 'server';
  return Object.assign(new Error('injected'), { name, $fault, $metadata: { httpStatusCode } });
}

/** The connection broke before the answer arrived. */
export function connectionLost(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'Error' });
}

/** True for the first `count` calls. */
export function times(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}
