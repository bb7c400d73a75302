import { TransactionCanceledException, } from '@aws-sdk/client-dynamodb';
/** Makes a client's TransactWriteItems requests fail, below the SDK's retries. */
export function injectFault(client, fault) {
    injectFaults(client, ({ commandName }) => commandName === 'TransactWriteItemsCommand' ? fault : {});
}
/** Makes a client's requests fail, below the SDK's retries. */
export function injectFaults(client, findFault) {
    const failing = (next, context) => async (args) => {
        const { before, after } = findFault(context);
        const refused = await before?.(args.input);
        if (refused)
            throw refused;
        const result = await next(args);
        const lost = after?.(args.input);
        if (lost)
            throw lost;
        return result;
    };
    client.middlewareStack.add(failing, { step: 'deserialize', priority: 'low' });
}
/** A cancellation for one reason, at all positions or at those of some items. */
export function cancellation({ TransactItems = [] }, reason, isAffected = () => true) {
    return new TransactionCanceledException({
        message: 'Transaction cancelled',
        $metadata: { httpStatusCode: 400 },
        CancellationReasons: TransactItems.map((item) => isAffected(item) ? reason : { Code: 'None' }),
    });
}
/** A conflict at the items whose partition key has this prefix. Undefined if there are none. */
export function conflictAt(prefix, input) {
    const isAffected = ({ Update }) => Update?.Key?.PK?.S?.startsWith(prefix) ?? false;
    if (!input.TransactItems?.some(isAffected))
        return undefined;
    return cancellation(input, { Code: 'TransactionConflict' }, isAffected);
}
/** An error that DynamoDB returns. */
export function serviceError(name, httpStatusCode) {
    const $fault = httpStatusCode < 500 ? 'client' : 'server';
    return Object.assign(new Error('injected'), { name, $fault, $metadata: { httpStatusCode } });
}
/** The connection broke before the answer arrived. */
export function connectionLost() {
    return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'Error' });
}
/** True for the first `count` calls. */
export function times(count) {
    let left = count;
    return () => left-- > 0;
}
