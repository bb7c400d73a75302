/**
 * Finds the items of a batch that ReportBatchItemFailures reports as failed. If the response is
 * malformed or names an item outside the batch, all items failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function findFailedIds(response, ids) {
    const failed = parseFailedIds(response);
    const isValid = failed?.every((id) => ids.includes(id));
    return new Set(isValid ? failed : ids);
}
function parseFailedIds(response) {
    try {
        const { batchItemFailures } = JSON.parse(response || 'null') ?? {};
        return (batchItemFailures ?? []).map((item) => item.itemIdentifier);
    }
    catch {
        return undefined;
    }
}
