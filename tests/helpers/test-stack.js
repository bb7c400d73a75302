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
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createServiceClient } from '../../local/service-client.ts';
import { startStack } from '../../local/stack/stack.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { fetchByContract } from './contract.ts';
import { createTestDir } from './test-dir.ts';
/** Starts a stack for one test file, with a client to use it. */
export async function startTestStack(options = {}) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const cleanup = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const dir = cleanup.use(await createTestDir());
        const stackFile = path.join(dir.path, 'stack.json');
        const logFile = path.join(dir.path, 'functions.log');
        const stack = await startStack({ logFile, stackFile, ...options });
        cleanup.defer(stack.stop);
        const { dynamodbEndpoint, sqsEndpoint } = stack.outputs;
        const dynamodb = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
        const sqs = new SQSClient(localClientConfig(sqsEndpoint));
        const client = createServiceClient({ ...stack.outputs, dynamodb, sqs, fetch: fetchByContract });
        const started = cleanup.move();
        return { ...stack, ...client, stackFile, logFile, dynamodb, stop: () => started.disposeAsync() };
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
/** Finds the running processes that inherited this variable. */
export async function findPrograms(variable, value) {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const programs = await Promise.all(pids.map(async (pid) => {
        const read = (name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
        const inherited = (await read('environ')).split('\0').includes(`${variable}=${value}`);
        const commandLine = (await read('cmdline')).replaceAll('\0', ' ');
        return inherited ? [{ pid: Number(pid), commandLine }] : [];
    }));
    return programs.flat();
}
