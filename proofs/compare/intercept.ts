import type { Readable } from 'node:stream';
import {
  type DynamoDBClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  TransactionCanceledException,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import type { DeserializeHandlerOutput, DeserializeMiddleware, HttpRequest } from '@smithy/types';
import { linkKey } from '../../lib/keys.ts';
import type {
  FaultInjector,
  InterceptedRequest,
  RefusalReason,
  RequestRoute,
} from './fault-injector.ts';
import { hotCode } from './plan.ts';

/** The fields of a DynamoDB request that identify its items. */
interface Input {
  Key?: { PK?: { S?: string }; SK?: { S?: string } };
  Item?: Input['Key'];
  TransactItems?: TransactWriteItem[];
}

/** How to intercept a function's requests. */
interface Interception {
  /** Each invocation has its own. */
  faultInjector: () => FaultInjector;
  /** A port that never answers. */
  silentPort: number;
}

const hotKey = linkKey(hotCode).PK;
const linkPrefix = linkKey('').PK;
const metaKey = linkKey('').SK;
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Passes every request of the client through the fault injector. */
export function interceptRequests(
  client: DynamoDBClient,
  { faultInjector, silentPort }: Interception,
): void {
  const interfere: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =
    (next, { commandName = '' }) =>
    (args) => {
      const input = args.input as Input;
      const request = args.request as HttpRequest;
      const route: RequestRoute<DeserializeHandlerOutput<ServiceOutputTypes>> = {
        send: () => next(args),
        sendToSilence: () => {
          request.port = silentPort;
          return next(args);
        },
        refuse: async (reason) => {
          throw createRefusal(reason, input);
        },
        breakConnection: ({ response }) => {
          (response as { body: Readable }).body.destroy();
          return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        },
      };
      return faultInjector().pass(describeRequest(commandName, input, request), route);
    };
  // Nearest to the network, so that the SDK retries as it does on AWS.
  client.middlewareStack.add(interfere, { step: 'deserialize', priority: 'low' });
}

function describeRequest(
  commandName: string,
  input: Input,
  { headers }: HttpRequest,
): InterceptedRequest {
  const isFirstAttempt = headers['amz-sdk-request']?.startsWith('attempt=1;') ?? true;
  if (input.TransactItems) return describeTransaction(input.TransactItems, isFirstAttempt);
  const isWrite =
    'Item' in input || 'UpdateExpression' in input || commandName.startsWith('Delete');
  const { PK: { S: partition = '' } = {}, SK: { S: sort = '' } = {} } =
    input.Item ?? input.Key ?? {};
  const isWork = isWrite && partition.startsWith(linkPrefix);
  // A click is either one document, or first the link's total and then the day's count.
  const isDocument = isWork && 'Item' in input;
  return {
    // A message id differs from run to run.
    name: `${commandName} ${partition} ${sort}`.replace(uuid, ''),
    isFirstAttempt,
    isWrite,
    isTransaction: false,
    isHot: partition === hotKey,
    begins: isDocument || (isWork && sort === metaKey) ? 1 : 0,
    ends: isDocument || (isWork && sort !== metaKey) ? 1 : 0,
  };
}

function describeTransaction(
  items: TransactWriteItem[],
  isFirstAttempt: boolean,
): InterceptedRequest {
  const markers = items.filter(({ Put }) => Put);
  return {
    name: JSON.stringify(markers.map(({ Put }) => Put?.Item?.PK)),
    isFirstAttempt,
    isWrite: true,
    isTransaction: true,
    isHot: items.some(isHotItem),
    begins: markers.length,
    ends: markers.length,
  };
}

function isHotItem({ Update }: TransactWriteItem): boolean {
  return Update?.Key?.PK?.S === hotKey;
}

// DynamoDB throttles a single write, but cancels a transaction with a reason at the item's position.
function createRefusal(reason: RefusalReason, { TransactItems }: Input): Error {
  const $metadata = { httpStatusCode: 400 };
  if (!TransactItems) {
    return Object.assign(new Error('injected'), { name: 'ThrottlingException', $metadata });
  }
  const Code = reason === 'conflict' ? 'TransactionConflict' : 'ThrottlingError';
  return new TransactionCanceledException({
    message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    $metadata,
    CancellationReasons: TransactItems.map((item) => ({ Code: isHotItem(item) ? Code : 'None' })),
  });
}
