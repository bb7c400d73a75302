import { readExpressions, } from '../../../fixtures/dynamodb-expressions.ts';
import { OperandError, ValidationError } from '../../../fixtures/dynamodb-items.ts';
import { readUnits, writeUnits } from './capacity-units.ts';
import { keyOf } from './item-store.ts';
const maxActions = 100;
const none = { Code: 'None' };
/** A TransactWriteItems request that passed validation. */
export class Transaction {
    keys;
    #steps;
    /** @throws {ValidationError} for requests that DynamoDB rejects as a whole. */
    constructor(items) {
        if (items.length === 0 || items.length > maxActions) {
            throw new ValidationError(`1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to ${maxActions}, and greater than or equal to 1`);
        }
        this.#steps = items.map(toStep);
        this.keys = new Set(this.#steps.map(({ key }) => key));
        if (this.keys.size < items.length) {
            throw new ValidationError('Transaction request cannot include multiple operations on one item');
        }
    }
    /** The reasons by position, by a rule for keys. */
    reasonsWhere(meets) {
        return this.#steps.map(({ key }) => meets(key) ?? none);
    }
    /** Changes nothing. */
    try(items) {
        const trial = { reasons: [], results: new Map(), writeUnits: new Map() };
        for (const step of this.#steps)
            tryStep(step, items.get(step.key), trial);
        return trial;
    }
    /** The units of a repeated token. */
    readUnits(items) {
        return this.#steps.reduce((sum, { key }) => sum + readUnits(items.get(key)), 0);
    }
}
/** Whether there is a reason at any position. */
export function isCancelled(reasons) {
    return reasons.some(({ Code }) => Code !== none.Code);
}
function tryStep(step, before, trial) {
    const { key, action, condition } = step;
    const after = step.apply ? tryToApply(step.apply, before) : { item: before };
    if (condition(before ?? {})) {
        trial.reasons.push('reason' in after ? after.reason : none);
    }
    else {
        trial.reasons.push({
            Code: 'ConditionalCheckFailed',
            Message: 'The conditional request failed',
            ...(before && action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && { Item: before }),
        });
    }
    const result = 'item' in after ? after.item : before;
    if (step.apply)
        trial.results.set(key, result);
    trial.writeUnits.set(key, writeUnits(before, result));
}
function tryToApply(apply, before) {
    try {
        return { item: apply(before) };
    }
    catch (error) {
        if (!(error instanceof OperandError))
            throw error;
        return { reason: { Code: 'ValidationError', Message: error.message } };
    }
}
function toStep({ Put, Update, Delete, ConditionCheck }) {
    const action = Put ?? Update ?? Delete ?? ConditionCheck;
    if (!action)
        throw new Error('expected an action of TransactWriteItems');
    const { condition, update } = readExpressions(action);
    const step = { key: keyOf(Put?.Item ?? action.Key), action, condition };
    if (ConditionCheck)
        return step;
    const apply = (item) => (Update ? update(item ?? Update.Key) : Put?.Item);
    return { ...step, apply };
}
