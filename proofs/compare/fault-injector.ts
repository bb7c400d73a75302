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
import { createRandom } from '../tools/random.ts';
import { type CrashPoint, hotCode, type InjectedFault } from './plan.ts';

/** The fields of a DynamoDB request that identify its items. */
interface Input {
  Key?: { PK?: { S?: string }; SK?: { S?: string } };
  Item?: Input['Key'];
  TransactItems?: TransactWriteItem[];
}

type InterceptedRequest = ReturnType<typeof describeRequest>;

interface ProcessControls {
  /** Kills this process at once. */
  die(): Promise<never>;
  waitForTurn(): Promise<void>;
}

type Answer = DeserializeHandlerOutput<ServiceOutputTypes>;

const hotKey = linkKey(hotCode).PK;
const linkPrefix = linkKey('').PK;
const metaKey = linkKey('').SK;
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Passes every request of the client through the fault of the current invocation. */
export function interceptRequests(
  client: DynamoDBClient,
  silentPort: number,
  faultInjector: () => FaultInjector,
): void {
  const interfere: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =
    (next, { commandName = '' }) =>
    (args) => {
      const send = (isSilent: boolean) => {
        if (isSilent) (args.request as HttpRequest).port = silentPort;
        return next(args);
      };
      return faultInjector().pass(commandName, args, send);
    };
  // Nearest to the network, so that the SDK retries as it does on AWS.
  client.middlewareStack.add(interfere, { step: 'deserialize', priority: 'low' });
}

export type FaultInjector = ReturnType<typeof createFaultInjector>;

/** Injects the fault of one invocation into its requests. */
export function createFaultInjector(
  fault: InjectedFault | undefined,
  { die, waitForTurn }: ProcessControls,
) {
  const progress = { begun: 0, ended: 0, hot: 0 };
  const seen = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();

  // The number of clicks that have come this far decides whether the process dies.
  const dieAt = async (...points: CrashPoint[]) => {
    if (fault?.kind !== 'crash' || !points.includes(fault.point)) return;
    const reached = fault.point === 'after-work' ? progress.ended : progress.begun;
    if (reached >= fault.click) await die();
  };
  const isRejected = ({ isWrite, isHot }: InterceptedRequest, isTransaction: boolean) => {
    if (fault?.kind !== 'conflict' && fault?.kind !== 'throttle') return false;
    if (!isHot || !(fault.kind === 'conflict' ? isTransaction : isWrite)) return false;
    const position = progress.hot++ - (fault.kind === 'throttle' ? fault.skip : 0);
    return position >= 0 && position < fault.requests;
  };
  // Chosen by name, not by order of arrival, because random backoff changes that order.
  const isAnswerLost = ({ name, isWrite }: InterceptedRequest, isFirstAttempt: boolean) => {
    if (fault?.kind !== 'lose-answers' || !isWrite || !isFirstAttempt) return false;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return createRandom(fault.seed, `${name} ${times}`).integer(0, 1) === 1;
  };
  const passOne = async (
    commandName: string,
    args: { input: object; request: unknown },
    send: (isSilent: boolean) => Promise<Answer>,
  ): Promise<Answer> => {
    const input: Input = args.input;
    const { headers } = args.request as HttpRequest;
    const request = describeRequest(commandName, input);
    progress.begun += request.begins;
    if (fault?.kind === 'take-turns') await waitForTurn();
    await dieAt('before-work');
    if (fault?.kind === 'hang' && progress.begun >= fault.click) return send(true);
    if (isRejected(request, input.TransactItems !== undefined)) throw rejectionOf(fault, input);
    const answer = await send(false);
    progress.ended += request.ends;
    await dieAt('mid-work', 'after-work');
    if (!isAnswerLost(request, headers['amz-sdk-request']?.startsWith('attempt=1;') ?? true))
      return answer;
    (answer.response as { body: Readable }).body.destroy();
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  };

  return {
    /** Sends a request along the route that the fault chooses. */
    async pass(...[commandName, args, send]: Parameters<typeof passOne>): Promise<Answer> {
      if (!fault) return send(false);
      // One request at a time, so that the seed alone decides which requests the fault hits.
      const passed = last.then(() => passOne(commandName, args, send));
      last = passed.catch(() => undefined);
      return passed;
    },
    /** Call this after the function's work, before its response is sent. */
    async beforeAnswer(): Promise<void> {
      if (fault?.kind === 'crash') await die();
    },
  };
}

/**
 * The properties of a request that decide whether a fault hits it: its name, which is the same in every
 * run, and the number of clicks whose work begins with it, and is complete after it.
 */
function describeRequest(commandName: string, input: Input) {
  if (input.TransactItems) {
    const markers = input.TransactItems.filter(({ Put }) => Put);
    const name = JSON.stringify(markers.map(({ Put }) => Put?.Item?.PK));
    const isHot = input.TransactItems.some(isHotItem);
    return { name, isWrite: true, isHot, begins: markers.length, ends: markers.length };
  }
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
    isWrite,
    isHot: partition === hotKey,
    begins: isDocument || (isWork && sort === metaKey) ? 1 : 0,
    ends: isDocument || (isWork && sort !== metaKey) ? 1 : 0,
  };
}

function isHotItem({ Update }: TransactWriteItem): boolean {
  return Update?.Key?.PK?.S === hotKey;
}

// DynamoDB throttles a single write, but cancels a transaction with a reason at the item's position.
function rejectionOf(fault: InjectedFault | undefined, { TransactItems }: Input): Error {
  const $metadata = { httpStatusCode: 400 };
  if (!TransactItems) {
    return Object.assign(new Error('injected'), { name: 'ThrottlingException', $metadata });
  }
  const Code = fault?.kind === 'conflict' ? 'TransactionConflict' : 'ThrottlingError';
  return new TransactionCanceledException({
    message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    $metadata,
    CancellationReasons: TransactItems.map((item) => ({ Code: isHotItem(item) ? Code : 'None' })),
  });
}
