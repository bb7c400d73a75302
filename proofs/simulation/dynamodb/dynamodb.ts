import { ValidationError } from '../../../fixtures/dynamodb-items.ts';
import type { Random } from '../../tools/random.ts';
import { type Answer, type AwsService, serviceError } from '../aws-service.ts';
import type { Faults } from '../faults.ts';
import type { Scheduler } from '../instance.ts';
import type { Statistics } from '../statistics.ts';
import { type BatchWriteItemInput, batchWriteItem } from './batch-write.ts';
import { perTransaction } from './capacity-units.ts';
import type { ItemStore } from './item-store.ts';
import {
  answer,
  type BatchGetItemInput,
  batchGetItem,
  type GetItemInput,
  getItem,
  type QueryInput,
  query,
} from './reads.ts';
import {
  isCancelled,
  type Reason,
  Transaction,
  type TransactWriteItem,
  type Trial,
} from './transact-write.ts';

/** How long a ClientRequestToken is remembered after its transaction. */
const tokenLifeMs = 10 * 60_000;

interface TransactWriteItemsInput {
  TransactItems: TransactWriteItem[];
  ClientRequestToken?: string;
  ReturnConsumedCapacity?: 'TOTAL' | 'NONE';
}

type PutItemInput = NonNullable<TransactWriteItem['Put']> & { ReturnConsumedCapacity?: string };
type UpdateItemInput = NonNullable<TransactWriteItem['Update']>;

interface Token {
  items: TransactWriteItem[];
  /** Undefined while the transaction is in progress. */
  doneMs: number | undefined;
}

type Reply = (answer: Answer) => void;

interface DynamoDbParts {
  items: ItemStore;
  time: Scheduler;
  random: Random;
  faults: Pick<Faults, 'happens'>;
  statistics: Pick<Statistics, 'add'>;
  /** The share of transactions with throttling at some of their items. */
  throttleRate: number;
  /** The share of cancellations without the items that failed a condition. */
  bareRejectionShare: number;
  /** The duration of a transaction. By default 3 to 15 ms, for any number of items. */
  durationMs?: (items: number) => number;
  /** Called with the write units of each transaction and plain write, done or rejected, by item. */
  onCharge?: (units: ReadonlyMap<string, number>) => void;
}

/**
 * DynamoDB as documented, for the operations that this service uses. A transaction takes time from its
 * arrival to its commit. Others that touch its items meanwhile are cancelled with a conflict.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export class DynamoDb implements AwsService {
  readonly #parts: DynamoDbParts;
  readonly #locks = new Set<string>();
  readonly #tokens = new Map<string, Token>();

  constructor(parts: DynamoDbParts) {
    this.#parts = parts;
  }

  handle(operation: string, input: unknown, reply: Reply): void {
    try {
      const answer = this.#perform(operation, input, reply);
      if (answer) reply(answer);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      reply(serviceError(400, 'ValidationException', error.message));
    }
  }

  // The answer, or undefined if it follows later.
  #perform(operation: string, input: unknown, reply: Reply): Answer | undefined {
    const { items, faults, random, throttleRate } = this.#parts;
    switch (operation) {
      case 'TransactWriteItems':
        return this.#transactWriteItems(input as TransactWriteItemsInput, reply);
      case 'UpdateItem':
        return this.#writeItem(new Transaction([{ Update: input as UpdateItemInput }]));
      case 'PutItem':
        return this.#putItem(input as PutItemInput);
      case 'Query':
        return query(items, input as QueryInput);
      case 'GetItem':
        return getItem(items, input as GetItemInput);
      case 'BatchGetItem': {
        const share = faults.happens('throttled reads', throttleRate) ? random.pick([0.1, 1]) : 0;
        return batchGetItem(items, input as BatchGetItemInput, () => random.chance(share));
      }
      case 'BatchWriteItem': {
        const share = faults.happens('throttled writes', throttleRate) ? random.pick([0.1, 1]) : 0;
        return batchWriteItem(items, input as BatchWriteItemInput, () => random.chance(share));
      }
      default:
        throw new Error(`expected an operation in use; got ${operation}: teach it to the model`);
    }
  }

  #transactWriteItems(input: TransactWriteItemsInput, reply: Reply): Answer | undefined {
    const { ClientRequestToken: token } = input;
    const transaction = new Transaction(input.TransactItems);
    const replayed = this.#replay(input, transaction);
    if (replayed) return replayed;
    const rejected = this.#reject(transaction);
    if (rejected) return this.#cancel(rejected.reasons, rejected.trial);

    const { keys } = transaction;
    const { time, random, durationMs = () => random.integer(3, 15) } = this.#parts;
    for (const key of keys) this.#locks.add(key);
    if (token) this.#tokens.set(token, { items: input.TransactItems, doneMs: undefined });
    time.after(durationMs(keys.size), () => {
      for (const key of keys) this.#locks.delete(key);
      reply(this.#commit(transaction, input));
    });
    return undefined;
  }

  #putItem({ ReturnConsumedCapacity, ...Put }: PutItemInput): Answer {
    const { status, body } = this.#writeItem(new Transaction([{ Put }]));
    if (status !== 200) return { status, body };
    const { TableName } = Put;
    return answer(ReturnConsumedCapacity === 'TOTAL' ? { ConsumedCapacity: { TableName } } : {});
  }

  // A failed condition costs as much as a write.
  #writeItem(transaction: Transaction): Answer {
    const { items } = this.#parts;
    const rejected = this.#reject(transaction)?.reasons[0]?.Code.replace('Error', '');
    if (rejected) return serviceError(400, `${rejected}Exception`, 'rejected');
    const { reasons, results, writeUnits } = transaction.try(items);
    const [reason] = reasons;
    const units = [...writeUnits].map(([key, ofItem]) => [key, ofItem / perTransaction] as const);
    this.#charge('plain write units', { writeUnits: new Map(units) });
    if (isCancelled(reasons)) {
      const name = 'ConditionalCheckFailedException';
      return serviceError(400, name, 'The conditional request failed', { Item: reason?.Item });
    }
    items.commit(results);
    return answer({ Attributes: [...results.values()][0] });
  }

  #replay(input: TransactWriteItemsInput, transaction: Transaction): Answer | undefined {
    const { items, time, statistics } = this.#parts;
    const known = this.#tokens.get(input.ClientRequestToken ?? '');
    if (!known || (known.doneMs ?? Infinity) + tokenLifeMs < time.nowMs) return undefined;
    if (JSON.stringify(known.items) !== JSON.stringify(input.TransactItems)) {
      return serviceError(400, 'IdempotentParameterMismatchException', 'other parameters before');
    }
    if (known.doneMs === undefined) {
      return serviceError(400, 'TransactionInProgressException', 'still under way');
    }
    statistics.add('token replays');
    return consumed(input, { ReadCapacityUnits: transaction.readUnits(items) });
  }

  // Contention and throttling, alone or together with failed conditions.
  #reject(transaction: Transaction): { reasons: Reason[]; trial: Trial } | undefined {
    const { random, faults, statistics, items, throttleRate } = this.#parts;
    const conflict: Reason = { Code: 'TransactionConflict', Message: 'Transaction is ongoing' };
    let reasons = transaction.reasonsWhere((key) => (this.#locks.has(key) ? conflict : undefined));
    if (isCancelled(reasons)) {
      statistics.add('conflicts');
    } else {
      if (!faults.happens('throttling', throttleRate)) return undefined;
      statistics.add('throttled');
      const Code = random.pick(['ThrottlingError', 'ProvisionedThroughputExceeded']);
      const share = random.pick([0.1, 1]);
      reasons = transaction.reasonsWhere(() => (random.chance(share) ? { Code } : undefined));
      if (!isCancelled(reasons)) return undefined;
    }
    const trial = transaction.try(items);
    if (random.chance(0.5)) return { reasons, trial };
    const both = reasons.map((reason, index) =>
      reason.Code === 'None' ? (trial.reasons[index] ?? reason) : reason,
    );
    return { reasons: both, trial };
  }

  #commit(transaction: Transaction, input: TransactWriteItemsInput): Answer {
    const { items, time } = this.#parts;
    const { ClientRequestToken: token } = input;
    const trial = transaction.try(items);
    if (isCancelled(trial.reasons)) {
      if (token) this.#tokens.delete(token);
      return this.#cancel(trial.reasons, trial);
    }
    if (token) Object.assign(this.#tokens.get(token) ?? {}, { doneMs: time.nowMs });
    items.commit(trial.results);
    return consumed(input, { WriteCapacityUnits: this.#charge('write units', trial) });
  }

  // AWS doesn't document the cost of a cancelled transaction. A failed conditional write costs the same
  // as a successful one.
  #cancel(reasons: Reason[], trial: Trial): Answer {
    const { faults, bareRejectionShare } = this.#parts;
    this.#charge('write units of cancelled transactions', trial);
    const isBare = faults.happens('refusal without items', bareRejectionShare);
    return cancelled(isBare ? reasons.map(({ Item: _item, ...reason }) => reason) : reasons);
  }

  #charge(sum: string, { writeUnits }: Pick<Trial, 'writeUnits'>): number {
    const units = [...writeUnits.values()].reduce((total, ofItem) => total + ofItem, 0);
    this.#parts.statistics.add(sum, units);
    this.#parts.onCharge?.(writeUnits);
    return units;
  }
}

// A transaction's consumed capacity, if requested.
function consumed(
  { TransactItems: [first], ReturnConsumedCapacity }: TransactWriteItemsInput,
  units: { WriteCapacityUnits: number } | { ReadCapacityUnits: number },
): Answer {
  if (ReturnConsumedCapacity !== 'TOTAL') return { status: 200, body: '{}' };
  const [{ TableName = '' } = {}] = Object.values(first ?? {});
  const [CapacityUnits] = Object.values(units);
  const ConsumedCapacity = [{ TableName, CapacityUnits, ...units }];
  return { status: 200, body: JSON.stringify({ ConsumedCapacity }) };
}

/** The answer to a cancelled transaction. */
export function cancelled(reasons: Reason[]): Answer {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return serviceError(400, 'TransactionCanceledException', message, {
    CancellationReasons: reasons,
  });
}
