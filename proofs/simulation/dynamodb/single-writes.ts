import { type Item, ValidationError } from '../../../fixtures/dynamodb-items.ts';
import { type Answer, serviceError } from '../aws-service.ts';
import { perTransaction, writeUnits } from './capacity-units.ts';
import { type ItemStore, keyOf } from './item-store.ts';
import { type Reason, Transaction, type TransactWriteItem } from './transact-write.ts';

interface CapacityMode {
  TableName?: string;
  ReturnConsumedCapacity?: 'TOTAL' | 'NONE';
}

interface DeleteItemInput extends CapacityMode {
  Key: Item;
}

type UpdateItemInput = CapacityMode &
  NonNullable<TransactWriteItem['Update']> & { ReturnValues?: string };

/** The operations that write one item, with their inputs. */
export interface SingleWrites {
  PutItem: CapacityMode & NonNullable<TransactWriteItem['Put']>;
  UpdateItem: UpdateItemInput;
  DeleteItem: DeleteItemInput;
}

/** AWS doesn't document that a conflict takes units. */
const conflict = serviceError(400, 'TransactionConflictException', 'Transaction is ongoing');

/** Puts or updates an item: a transaction with one action, but with other units and answers. */
export function writeItem(
  items: ItemStore,
  action: TransactWriteItem,
  isLocked: (key: string) => boolean,
): Answer {
  const transaction = new Transaction([action]);
  if ([...transaction.keys].some(isLocked)) return conflict;
  const { reasons, results, writeUnits } = transaction.try(items);
  const refusal = reasons.flatMap(refuse)[0];
  if (!refusal) items.commit(results);
  const units = writeUnits / perTransaction;
  const input: Partial<UpdateItemInput> = { ...action.Put, ...action.Update };
  const [Attributes] = results.values();
  const more = input.ReturnValues === 'ALL_NEW' ? { Attributes } : {};
  return refusal ?? consumed(input, units, more);
}

/** Deletes an item. A missing one takes a unit, too. */
export function deleteItem(
  items: ItemStore,
  input: DeleteItemInput,
  isLocked: (key: string) => boolean,
): Answer {
  const key = keyOf(input.Key);
  if (isLocked(key)) return conflict;
  const units = writeUnits(items.remove(key), undefined) / perTransaction;
  return consumed(input, units);
}

function refuse({ Code, Message = '', Item }: Reason): Answer[] {
  if (Code === 'ValidationError') throw new ValidationError(Message);
  if (Code !== 'ConditionalCheckFailed') return [];
  return [serviceError(400, 'ConditionalCheckFailedException', Message, { Item })];
}

function consumed(
  { TableName, ReturnConsumedCapacity }: CapacityMode,
  CapacityUnits: number,
  more = {},
): Answer {
  const isTold = ReturnConsumedCapacity === 'TOTAL';
  const body = { ...more, ...(isTold && { ConsumedCapacity: { TableName, CapacityUnits } }) };
  return { status: 200, body: JSON.stringify(body) };
}
