var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { writeStackFile } from '../../cli/terminal/running-stack.ts';
import { accountId, localClientConfig, region } from '../../loopback/local-aws.ts';
import { findFreePort, loopback } from '../../loopback/ports.ts';
import { stopOnceStarted } from '../../loopback/stoppable.ts';
import { createTable } from '../engines/create-table.ts';
import { startDynamoDb } from '../engines/dynamodb.ts';
import { stackQueueUrls, startQueueServer } from '../engines/queue-server.ts';
import { findResources, loadTemplate, } from '../engines/template.ts';
import { startEventBus } from './event-bus.ts';
import { createRules } from './event-rules.ts';
import { startEventSourceMappings } from './event-source-mapping.ts';
import { startFunctions } from './functions.ts';
import { createQueues } from './queues.ts';
import { startTokenIssuer } from './token-issuer.ts';
/**
 * Starts the whole service on this machine from the same serverless.yml that is deployed, and waits
 * until it is ready.
 * @throws Error if any part fails to start, after stopping all the others.
 */
export async function startStack(options = {}) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const cleanup = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const stack = await assemble(options, cleanup);
        const running = cleanup.move();
        return { ...stack, stop: () => running.disposeAsync() };
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
async function assemble(options, cleanup) {
    const { onProgress = ignore, onError = ignore } = options;
    const port = options.port ?? (await findFreePort());
    const engines = await startEngines({ apiPort: port, onError }, cleanup);
    onProgress(`DynamoDB (${engines.dynamodb.engine}), SQS, EventBridge and a token issuer are running`);
    const outputs = await nameOutputs(engines, port);
    const building = [
        loadTemplate('local', options.params),
        cleanup.adopt(startFunctions(options, outputs, engines.issuer), stopOnceStarted),
    ];
    // If one fails, the other must end before the cleanup begins.
    await Promise.allSettled(building);
    const [template, functions] = await Promise.all(building);
    onProgress('The functions and their API are running');
    const sqs = new SQSClient(localClientConfig(engines.queues.url));
    const resources = await createResources(template, outputs, sqs, cleanup);
    createRules(engines.bus, template, resources, { sqs, onError });
    const streams = new DynamoDBStreamsClient(localClientConfig(outputs.dynamodbEndpoint));
    cleanup.defer(() => streams.destroy());
    const mappings = { template, resources, sqs, streams, invoke: functions.invoke, onError };
    await startEventSourceMappings(mappings, cleanup);
    onProgress("The table, the queues and the bus are ready; polling ClickQueue and the table's stream");
    if (options.stackFile)
        cleanup.defer(await writeStackFile(options.stackFile, outputs));
    const { issueToken } = engines.issuer;
    return { outputs, issueToken };
}
/** Creates the template's table and queues, and describes its bus, functions and log groups. */
async function createResources(template, { dynamodbEndpoint, sqsEndpoint, tableName, busName }, sqs, cleanup) {
    const client = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
    cleanup.defer(() => client.destroy());
    const ClickTable = await createTable(client, template, tableName);
    // The engine at DYNAMODB_ENDPOINT outlives the stack; the table must not.
    cleanup.defer(async () => {
        await client.send(new DeleteTableCommand({ TableName: tableName }));
    });
    const queues = await createQueues(sqs, sqsEndpoint, template);
    const functions = Object.entries(findResources(template, 'AWS::Lambda::Function'));
    const logGroups = Object.entries(findResources(template, 'AWS::Logs::LogGroup'));
    const others = [
        ...functions.map(([id, { FunctionName: ref }]) => [id, ref, 'lambda', `function:${ref}`]),
        ...logGroups.map(([id, { LogGroupName: ref }]) => [id, ref, 'logs', `log-group:${ref}:*`]),
    ].map(([id, ref, service, name]) => {
        const Arn = `arn:aws:${service}:${region}:${accountId}:${name}`;
        return [id, { ref, attributes: { Arn } }];
    });
    return { ClickTable, ClickBus: { ref: busName }, ...queues, ...Object.fromEntries(others) };
}
/**
 * Starts DynamoDB, SQS, EventBridge and a token issuer, each empty and on a free port. `cleanup`
 * stops them, even those that are still starting when another one fails.
 */
async function startEngines(issuerOptions, cleanup) {
    const [dynamodb, queues, bus, issuer] = await Promise.all([
        cleanup.adopt(startDynamoDb(), stopOnceStarted),
        cleanup.adopt(startQueueServer(), stopOnceStarted),
        cleanup.adopt(startEventBus(), stopOnceStarted),
        cleanup.adopt(startTokenIssuer(issuerOptions), stopOnceStarted),
    ]);
    return { dynamodb, queues, bus, issuer };
}
/** Names everything before the template exists, so that it and the functions build in parallel. */
async function nameOutputs(engines, port) {
    const { dynamodb, queues, bus, issuer } = engines;
    return {
        api: `http://${loopback}:${port}`,
        liveUrl: `ws://${loopback}:${await findFreePort()}`,
        token: await issuer.issueToken(),
        otherToken: await issuer.issueToken({ subject: 'other-local-user' }),
        dynamodbEndpoint: dynamodb.endpoint,
        sqsEndpoint: queues.url,
        eventsEndpoint: bus.url,
        region,
        // The engine at DYNAMODB_ENDPOINT may hold the table of another stack.
        tableName: `ClickTable-${randomUUID()}`,
        ...stackQueueUrls(queues.url),
        busName: 'ClickBus',
    };
}
function ignore() { }
