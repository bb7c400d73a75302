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
import type { createTroublemaker, Request, Route } from './fault-injector.ts';
import { hotCode } from './plan.ts';

type Troublemaker = ReturnType<typeof createTroublemaker>;

/** The fields of a DynamoDB request that tell what it is for. */
type Input = {
  Key?: { PK?: { S?: string }; SK?: { S?: string } };
  Item?: Input['Key'];
  TransactItems?: TransactWriteItem[];
};

const hotKey = linkKey(hotCode).PK;
const linkPrefix = linkKey('').PK;
const metaKey = linkKey('').SK;
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Has a client's requests counted, and lets them meet the trouble of the invocation. */
export function interceptRequests(
  client: DynamoDBClient,
  options: { troublemaker: () => Troublemaker; nowherePort: number },
): void {
  const { troublemaker, nowherePort } = options;
  const interfere: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =
    (next, { commandName = '' }) =>
    (args) => {
      const input = args.input as Input;
      const route: Route<DeserializeHandlerOutput<ServiceOutputTypes>> = {
        send: () => next(args),
        sendToNowhere: () => {
          Object.assign(args.request as HttpRequest, { port: nowherePort });
          return next(args);
        },
        refuse: async (reason) => {
          throw refusal(reason, input);
        },
        breakConnection: ({ response }) => {
          (response as { body: Readable }).body.destroy();
          return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        },
      };
      return troublemaker().pass(describe(commandName, input, args.request as HttpRequest), route);
    };
  // Nearest to the network, so that the SDK's own retries are what they would be.
  client.middlewareStack.add(interfere, { step: 'deserialize', priority: 'low' });
}

// Reads name a key, but neither what to write nor how.
function isWriteInput(input: Input): boolean {
  return 'Item' in input || 'TransactItems' in input || 'UpdateExpression' in input;
}

function describe(commandName: string, input: Input, { headers }: HttpRequest): Request {
  const isFirstAttempt = headers['amz-sdk-request']?.startsWith('attempt=1;') ?? true;
  const isWrite = isWriteInput(input) || commandName === 'DeleteItemCommand';
  if (input.TransactItems) {
    const clicks = input.TransactItems.filter(({ Put }) => Put);
    const name = JSON.stringify(clicks.map(({ Put }) => Put?.Item?.PK));
    const isHot = input.TransactItems.some(isHotItem);
    const work = { begins: clicks.length, ends: clicks.length };
    return { name, isFirstAttempt, isWrite, isTransaction: true, isHot, ...work };
  }
  const { PK: { S: partition = '' } = {}, SK: { S: sort = '' } = {} } =
    input.Item ?? input.Key ?? {};
  const isWork = isWrite && partition.startsWith(linkPrefix);
  // A click is one document, or first the link's sum and then the day's count.
  const isWhole = isWork && 'Item' in input;
  return {
    // A message's id is another in each run.
    name: `${commandName} ${partition} ${sort}`.replace(uuid, ''),
    isFirstAttempt,
    isWrite,
    isTransaction: false,
    isHot: partition === hotKey,
    begins: isWhole || (isWork && sort === metaKey) ? 1 : 0,
    ends: isWhole || (isWork && sort !== metaKey) ? 1 : 0,
  };
}

function isHotItem({ Update }: TransactWriteItem): boolean {
  return Update?.Key?.PK?.S === hotKey;
}

// A single write is refused as such; a transaction is cancelled, with a reason at the item's place.
function refusal(reason: 'conflict' | 'throttle', { TransactItems }: Input): Error {
  const $metadata = { httpStatusCode: 400 };
  if (!TransactItems) {
    return Object.assign(new Error('injected'), { name: 'ThrottlingException', $metadata });
  }
  const Code = reason === 'conflict' ? 'TransactionConflict' : 'ThrottlingError';
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons`,
    $metadata,
    CancellationReasons: TransactItems.map((item) => ({ Code: isHotItem(item) ? Code : 'None' })),
  });
}
