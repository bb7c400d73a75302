import { holds, OperandError, type Placeholders, update } from './expressions.ts';
import { checkKeySize, type Item, type ItemStore, keyOf, ValidationError } from './item-store.ts';

const maxActions = 100;
const maxItemBytes = 400 * 1024;

interface Action extends Placeholders {
  ConditionExpression?: string;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}

export interface TransactWriteItem {
  Put?: Action & { Item: Item };
  Update?: Action & { Key: Item; UpdateExpression: string };
}

export interface Reason {
  Code: string;
  Message?: string;
  Item?: Item;
}

/** One action of a transaction, with the item that it is about. */
interface Step {
  key: string;
  action: Action;
  apply: (item: Item | undefined) => Item;
}

const none: Reason = { Code: 'None' };

/** A TransactWriteItems request that passed validation. */
export class Transaction {
  readonly #steps: Step[];

  /** @throws {ValidationError} for what DynamoDB refuses as a whole. */
  constructor(items: TransactWriteItem[]) {
    if (items.length === 0 || items.length > maxActions) {
      throw new ValidationError(
        `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to ${maxActions}, and greater than or equal to 1`,
      );
    }
    this.#steps = items.map(toStep);
    if (this.keys.size < items.length) {
      throw new ValidationError(
        'Transaction request cannot include multiple operations on one item',
      );
    }
  }

  get keys(): Set<string> {
    return new Set(this.#steps.map(({ key }) => key));
  }

  /** A reason for each position, by a rule that looks at its key. */
  reasonsWhere(meets: (key: string) => Reason | undefined): Reason[] {
    return this.#steps.map(({ key }) => meets(key) ?? none);
  }

  /** Why the transaction cannot be committed to the table as it is, by position. */
  check(items: ItemStore): Reason[] {
    return this.#steps.map((step) => checkStep(step, items.get(step.key)));
  }

  /** What the items become; only after a check without a reason. */
  results(items: ItemStore): Map<string, Item> {
    return new Map(this.#steps.map(({ key, apply }) => [key, apply(items.get(key))]));
  }
}

/** Whether there is a reason at any position. */
export function isCancelled(reasons: Reason[]): boolean {
  return reasons.some(({ Code }) => Code !== none.Code);
}

function checkStep({ key, action, apply }: Step, item: Item | undefined): Reason {
  if (!holds(action.ConditionExpression, item, action)) {
    return {
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      ...(item && action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && { Item: item }),
    };
  }
  try {
    checkKeySize(key);
    apply(item);
    return none;
  } catch (error) {
    if (!(error instanceof OperandError || error instanceof ValidationError)) throw error;
    return { Code: 'ValidationError', Message: error.message };
  }
}

function toStep({ Put, Update }: TransactWriteItem): Step {
  if (Put) {
    if (Buffer.byteLength(JSON.stringify(Put.Item)) > maxItemBytes) {
      throw new ValidationError('Item size has exceeded the maximum allowed size');
    }
    return { key: keyOf(Put.Item), action: Put, apply: () => Put.Item };
  }
  if (!Update) throw new Error('expected Put or Update: teach other actions to the model');
  const { Key, UpdateExpression } = Update;
  const apply = (item: Item | undefined) => update(UpdateExpression, item ?? Key, Update);
  return { key: keyOf(Key), action: Update, apply };
}
