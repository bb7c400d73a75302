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
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, inject } from 'vitest';
import { countMessages, receiveAll, sqsBatchSize } from '../../cli/queue.ts';
import { chunk } from '../../lib/chunk.ts';
import { stackQueueUrls, startQueueServer } from '../../local/engines/queue-server.ts';
import { readTemplate } from '../../local/engines/template.ts';
import { createQueues } from '../../local/stack/queues.ts';
import { localClientConfig, region } from '../../loopback/local-aws.ts';
import { isolatedEnvironment, runCommand, startCommand } from './command.ts';
import { createTestDir } from './test-dir.ts';
import { startTable } from './test-table.ts';
/** Starts a stack for each test of a file. See {@link startOperatedStack}. */
export function useOperatedStack() {
    const stack = {};
    beforeEach(async () => {
        Object.assign(stack, await startOperatedStack());
        return stack.stop;
    });
    return stack;
}
/** Starts the table and the queues that the commands work on, without functions or an API of its own. */
export async function startOperatedStack(api = {}) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const cleanup = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const table = cleanup.adopt(await startTable(), ({ stop }) => stop());
        const server = cleanup.adopt(await startQueueServer(), ({ stop }) => stop());
        const sqs = new SQSClient(localClientConfig(server.url));
        await createQueues(sqs, server.url, await readTemplate(inject('packageDir')));
        const dir = cleanup.use(await createTestDir());
        const STACK_FILE = path.join(dir.path, 'stack.json');
        const outputs = { ...describeOutputs(table, server.url), ...api };
        await writeFile(STACK_FILE, JSON.stringify({ ...outputs, pid: process.pid }));
        /** Like {@link run}, in a process of its own. */
        const start = (script, args) => startCommand(`cli/${script}`, args, isolatedEnvironment({ STACK_FILE }));
        const run = (script, args) => runOperatorCommand(script, args, { STACK_FILE });
        const started = cleanup.move();
        return {
            ...createQueueAccess(sqs, outputs.clickDlqUrl),
            outputs,
            table,
            sqs,
            start,
            run,
            stop: () => started.disposeAsync(),
        };
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
/** Runs a command of cli/ without the developer's AWS settings. */
export function runOperatorCommand(script, args, environment) {
    return runCommand(`cli/${script}`, args, isolatedEnvironment(environment));
}
/** How a command ends that couldn't run: with one line. */
export function mistake(line) {
    return { code: 2, stdout: '', stderr: `error: ${line}\n` };
}
function describeOutputs({ endpoint, tableName }, sqsEndpoint) {
    const nowhere = 'http://127.0.0.1:1';
    return {
        api: nowhere,
        liveUrl: nowhere,
        eventsEndpoint: nowhere,
        busName: 'ClickBus',
        region,
        token: 'none',
        otherToken: 'none',
        dynamodbEndpoint: endpoint,
        sqsEndpoint,
        tableName,
        ...stackQueueUrls(sqsEndpoint),
    };
}
function createQueueAccess(sqs, clickDlqUrl) {
    /** Sends messages to a queue, by default to ClickDLQ. */
    const bury = async (letters, QueueUrl = clickDlqUrl) => {
        const entries = letters.map(({ body, attributes = {} }, index) => ({
            Id: `${index}`,
            MessageBody: body,
            MessageAttributes: Object.fromEntries(Object.entries(attributes).map(([name, StringValue]) => [
                name,
                { DataType: 'String', StringValue },
            ])),
        }));
        for (const Entries of chunk(entries, sqsBatchSize)) {
            await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
        }
    };
    const countVisible = async (url) => (await countMessages({ sqs, url })).visible;
    /** Receives and hides all visible messages. */
    const drain = async (url) => (await Array.fromAsync(receiveAll({ sqs, url }, { VisibilityTimeout: 600 }))).flat();
    /** Drains a queue and returns the bodies, sorted. */
    const drainBodies = async (url) => (await drain(url)).map(({ Body = '' }) => Body).toSorted();
    return { bury, countVisible, drain, drainBodies };
}
