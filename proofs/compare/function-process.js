// The process of a function, which can be killed like an execution environment.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { createCountWork } from './approach.ts';
import { createFaultInjector, interceptRequests } from './fault-injector.ts';
const say = (message, then = () => { }) => process.send?.(message, then);
const realNow = Date.now;
let go = () => { };
const controls = {
    die: () => new Promise(() => {
        say({ type: 'dying' }, () => process.kill(process.pid, 'SIGKILL'));
    }),
    waitForTurn: () => new Promise((resolve) => {
        go = resolve;
        say({ type: 'waiting' });
    }),
};
let faultInjector = createFaultInjector(undefined, controls);
let handler;
let client;
process.on('message', async (message) => {
    if (message.type === 'go')
        go();
    if (message.type === 'open')
        await open(message.settings);
    if (message.type === 'invoke')
        await invoke(message.invocation);
});
// Exit when the parent has gone.
process.on('disconnect', () => process.exit());
async function open(settings) {
    const { approach, tableName, dynamodbEndpoint, silentPort } = settings;
    process.env.TABLE_NAME = tableName;
    const { createHandler } = await import(`./approaches/${approach}.ts`);
    const config = localClientConfig(dynamodbEndpoint);
    client?.destroy();
    client = approach === 'click-tally' ? createCommitClient(config) : new DynamoDBClient(config);
    interceptRequests(client, silentPort, () => faultInjector);
    handler = createHandler({ client, tableName, work: createCountWork(client, tableName) });
    say({ type: 'opened' });
}
async function invoke({ event, timeoutMs, clockOffsetMs, fault }) {
    Date.now = () => realNow() + clockOffsetMs;
    faultInjector = createFaultInjector(fault, controls);
    try {
        const response = (await handler(event, makeContext(timeoutMs))) ?? undefined;
        await faultInjector.beforeAnswer();
        say({ type: 'ended', response });
    }
    catch (error) {
        say({ type: 'ended', error: String(error) });
    }
}
