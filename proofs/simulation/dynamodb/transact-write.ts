import {
  type Condition,
  type Expressions,
  readExpressions,
} from '../../../fixtures/dynamodb-expressions.ts';
import { type Item, OperandError, ValidationError } from '../../../fixtures/dynamodb-items.ts';
import { readUnits, writeUnits } from './capacity-units.ts';
import { type ItemStore, keyOf } from './item-store.ts';

const maxActions = 100;

interface Action extends Expressions {
  TableName: string;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}

export interface TransactWriteItem {
  Put?: Action & { Item: Item };
  Update?: Action & { Key: Item };
  Delete?: Action & { Key: Item };
  ConditionCheck?: Action & { Key: Item };
}

export interface Reason {
  Code: string;
  Message?: string;
  Item?: Item;
}

/** An action of a transaction, with its item. */
interface Step {
  key: string;
  action: Action;
  condition: Condition;
  /** Absent from an action that only checks. */
  apply?: (item: Item | undefined) => Item | undefined;
}

/** What a transaction would do to the current table. */
export interface Trial {
  /** Why it can't be committed, by position. */
  reasons: Reason[];
  /** The new items, and undefined for deleted ones. */
  results: Map<string, Item | undefined>;
  /** By item. */
  writeUnits: Map<string, number>;
}

const none: Reason = { Code: 'None' };

/** A TransactWriteItems request that passed validation. */
export class Transaction {
  readonly keys: ReadonlySet<string>;
  readonly #steps: Step[];

  /** @throws {ValidationError} for requests that DynamoDB rejects as a whole. */
  constructor(items: TransactWriteItem[]) {
    if (items.length === 0 || items.length > maxActions) {
      throw new ValidationError(
        `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to ${maxActions}, and greater than or equal to 1`,
      );
    }
    this.#steps = items.map(toStep);
    this.keys = new Set(this.#steps.map(({ key }) => key));
    if (this.keys.size < items.length) {
      throw new ValidationError(
        'Transaction request cannot include multiple operations on one item',
      );
    }
  }

  /** The reasons by position, by a rule for keys. */
  reasonsWhere(meets: (key: string) => Reason | undefined): Reason[] {
    return this.#steps.map(({ key }) => meets(key) ?? none);
  }

  /** Changes nothing. */
  try(items: ItemStore): Trial {
    const trial: Trial = { reasons: [], results: new Map(), writeUnits: new Map() };
    for (const step of this.#steps) tryStep(step, items.get(step.key), trial);
    return trial;
  }

  /** The units of a repeated token. */
  readUnits(items: ItemStore): number {
    return this.#steps.reduce((sum, { key }) => sum + readUnits(items.get(key)), 0);
  }
}

/** Whether there is a reason at any position. */
export function isCancelled(reasons: Reason[]): boolean {
  return reasons.some(({ Code }) => Code !== none.Code);
}

function tryStep(step: Step, before: Item | undefined, trial: Trial): void {
  const { key, action, condition } = step;
  const after = step.apply ? tryToApply(step.apply, before) : { item: before };
  if (condition(before ?? {})) {
    trial.reasons.push('reason' in after ? after.reason : none);
  } else {
    trial.reasons.push({
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      ...(before && action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && { Item: before }),
    });
  }
  const result = 'item' in after ? after.item : before;
  if (step.apply) trial.results.set(key, result);
  trial.writeUnits.set(key, writeUnits(before, result));
}

function tryToApply(
  apply: NonNullable<Step['apply']>,
  before: Item | undefined,
): { item: Item | undefined } | { reason: Reason } {
  try {
    return { item: apply(before) };
  } catch (error) {
    if (!(error instanceof OperandError)) throw error;
    return { reason: { Code: 'ValidationError', Message: error.message } };
  }
}

function toStep({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): Step {
  const action = Put ?? Update ?? Delete ?? ConditionCheck;
  if (!action) throw new Error('expected an action of TransactWriteItems');
  const { condition, update } = readExpressions(action);
  const step = { key: keyOf(Put?.Item ?? (action as { Key: Item }).Key), action, condition };
  if (ConditionCheck) return step;
  const apply = (item: Item | undefined) => (Update ? update(item ?? Update.Key) : Put?.Item);
  return { ...step, apply };
}
