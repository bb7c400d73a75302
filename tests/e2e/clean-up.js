import { DeleteMessageCommand } from '@aws-sdk/client-sqs';
import { DeleteCommand, DynamoDBDocumentClient, paginateScan, UpdateCommand, } from '@aws-sdk/lib-dynamodb';
import { toSlotValue } from 'powertools-idempotency-transactional/sheets';
import { walkDeadLetters } from '../../cli/dlq/dead-letters.ts';
import { hashClick } from '../../lib/clicks/click.ts';
import { retryWhileBusy } from '../../lib/dynamodb/requests.ts';
import { clickSheetPrefix, dayKey } from '../../lib/keys.ts';
import { connectTarget } from './target.ts';
const { PK: linkPrefix, SK: dayPrefix } = dayKey('', '');
/** Deletes a run's links, days, markers and dead letters. Returns how many it deleted. */
export async function cleanUp(target) {
    const { dynamodb, sqs } = connectTarget(target);
    return {
        items: await deleteItems(DynamoDBDocumentClient.from(dynamodb), target),
        deadLetters: (await takeDeadLetters(sqs, target)).length,
    };
}
/**
 * Deletes a run's items and returns how many. The service chose the visits' click ids, so this scans
 * the whole table for their markers. Slots of sheets don't have a link's code, so a second scan finds
 * them by the hashes of the deleted days. Other slots stay.
 */
export async function deleteItems(client, { outputs: { TableName }, runId }) {
    async function* scan(FilterExpression, values, names) {
        const request = { TableName, ConsistentRead: true, FilterExpression };
        const filter = { ExpressionAttributeValues: { ...values }, ExpressionAttributeNames: names };
        const pages = paginateScan({ client }, { ...request, ...filter });
        for await (const { Items = [] } of pages)
            yield* Items;
    }
    const toHex = (bytes) => bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : '';
    const slotValues = new Set();
    let deleted = 0;
    const ofRun = { ':link': `LINK#${runId}`, ':run': runId };
    const isOfRun = 'begins_with(PK, :link) OR begins_with(#code, :run)';
    for await (const { PK, SK } of scan(isOfRun, ofRun, { '#code': 'code' })) {
        const code = PK.slice(linkPrefix.length);
        const day = SK.slice(dayPrefix.length);
        if (SK.startsWith(dayPrefix))
            slotValues.add(toHex(toSlotValue(hashClick({ code, day }))));
        await client.send(new DeleteCommand({ TableName, Key: { PK, SK } }));
        deleted += 1;
    }
    const sheets = scan('begins_with(PK, :sheet)', { ':sheet': `${clickSheetPrefix}#` });
    for await (const { PK, SK, ...slots } of sheets) {
        const names = Object.keys(slots).filter((name) => slotValues.has(toHex(slots[name])));
        if (names.length === 0)
            continue;
        const UpdateExpression = `REMOVE ${names.join(', ')}`;
        // The aggregator may be writing to the sheet at the same time.
        await retryWhileBusy(() => client.send(new UpdateCommand({ TableName, Key: { PK, SK }, UpdateExpression })));
    }
    return deleted;
}
/** Deletes only this run's dead letters and returns their bodies. */
export async function takeDeadLetters(sqs, target) {
    const url = target.outputs.ClickDlqUrl;
    const taken = [];
    const visit = async ({ body, receiptHandle }) => {
        if (!body.includes(target.runId))
            return 'stays';
        await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receiptHandle }));
        taken.push(body);
        return 'gone';
    };
    await walkDeadLetters({ sqs, url }, visit, { signal: new AbortController().signal });
    return taken;
}
