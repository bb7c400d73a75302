import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test, vi } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { useOutput } from '../../helpers/output.ts';
// Powertools that calls the function without asking its persistence layer.
vi.mock('@aws-lambda-powertools/idempotency', async (original) => ({
    ...(await original()),
    makeIdempotent: (confirm) => confirm,
}));
vi.hoisted(() => {
    for (const name of ['BUS_RETRY', 'QUEUE_RETENTION', 'DEAD_LETTER_RETENTION']) {
        vi.stubEnv(`${name}_SECONDS`, '60');
    }
    vi.stubEnv('MAX_RECEIVE_COUNT', '3');
    vi.stubEnv('TABLE_NAME', 'clicks');
    vi.stubEnv('CLICK_DLQ_URL', 'http://127.0.0.1:1/000000000000/ClickDLQ');
    vi.stubEnv('AWS_REGION', 'us-east-1');
});
const output = useOutput();
test("a click that the persistence layer hasn't committed is retried", async () => {
    const { createHandler } = await import('../../../functions/aggregate-clicks.ts');
    const click = '{"id":"event-1","detail":{"code":"spring","at":"2026-05-26T10:00:00Z"}}';
    const response = await createHandler(new DynamoDBClient())(makeBatch([click]), makeContext());
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-0' }] });
    expect(output.lines()).toMatchObject([{ reason: 'not-committed' }, { FailedClicks: 1 }]);
});
