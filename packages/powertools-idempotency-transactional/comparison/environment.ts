import type {
  DynamoDBClient,
  ServiceInputTypes,
  ServiceOutputTypes,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import type { DeserializeMiddleware, InitializeMiddleware } from '@smithy/types';

/** When the environment dies. */
export type Moment = 'before-work' | 'after-work';

/** What happens to the requests of one environment. */
export interface Faults {
  crash?: Moment;
  /** How often DynamoDB fails at the last write of the persistence layer. */
  failures?: number;
}

/** The life of one execution environment of Lambda. */
export interface Environment {
  /** Requests without an answer. */
  underWay: number;
  /** Units of refused writes. */
  refusedUnits: number;
  /** Resolves to `dies` when it does. */
  died: Promise<string>;
  /** Nothing runs after this. */
  die(): Promise<never>;
}

interface Input {
  Key?: Record<string, unknown>;
  UpdateExpression?: string;
  TransactItems?: TransactWriteItem[];
}

const unitsInTransaction = 2;
const refusals = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

/** Starts an environment whose requests meet the faults. */
export function openEnvironment(client: DynamoDBClient, faults: Faults): Environment {
  const death = Promise.withResolvers<string>();
  const environment: Environment = {
    underWay: 0,
    refusedUnits: 0,
    died: death.promise,
    die: () => {
      death.resolve('dies');
      return new Promise(() => {});
    },
  };
  // Outside of everything else, so that a meter sees the requests of a dead environment too.
  const outermost = { step: 'initialize', priority: 'high' } as const;
  client.middlewareStack.add(watch(environment, faults), outermost);
  // Nearest to the network, so that the SDK retries as it does on AWS.
  const nearest = { step: 'deserialize', priority: 'low' } as const;
  client.middlewareStack.add(failRecordWrite(faults), nearest);
  return environment;
}

function watch(
  environment: Environment,
  { crash }: Faults,
): InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> {
  return (next) => async (args) => {
    const input = args.input as Input;
    if (crash === 'before-work' && isWork(input)) return environment.die();
    environment.underWay += 1;
    try {
      const answer = await next(args);
      return crash === 'after-work' && isWork(input) ? environment.die() : answer;
    } catch (error) {
      if (refusals.includes((error as Error).name)) environment.refusedUnits += priceOf(input);
      throw error;
    } finally {
      environment.underWay -= 1;
    }
  };
}

function priceOf({ TransactItems }: Input): number {
  return TransactItems ? unitsInTransaction * TransactItems.length : 1;
}

function failRecordWrite({
  failures = 0,
}: Faults): DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> {
  let left = failures;
  return (next) => async (args) => {
    if (left === 0 || !isLastRecordWrite(args.input as Input)) return next(args);
    left -= 1;
    throw createServerError();
  };
}

// The write of the order itself.
function isWork({ Key, UpdateExpression, TransactItems }: Input): boolean {
  return TransactItems !== undefined || (UpdateExpression !== undefined && Key?.PK !== undefined);
}

// Stock completes its record, keyed by `id`; the transaction is the only write of ours.
function isLastRecordWrite({ Key, UpdateExpression, TransactItems }: Input): boolean {
  return TransactItems !== undefined || (UpdateExpression !== undefined && Key?.id !== undefined);
}

function createServerError(): Error {
  const $metadata = { httpStatusCode: 500 };
  const fields = { name: 'InternalServerError', $fault: 'server', $metadata };
  return Object.assign(new Error('injected'), fields);
}
