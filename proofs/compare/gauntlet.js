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
import { availableParallelism } from 'node:os';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pLimit from 'p-limit';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { runCell } from './cell.ts';
import { createFunctionHost } from './function-host.ts';
// A cell often waits for the engine, so more cells than processors keep the machine busy.
const usualLanes = Math.min(8, availableParallelism() + 2);
/** Runs the cells on the local engine, and returns their results in the same order. */
export async function runGauntlet(options) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { cells, service, engine, lanes = usualLanes, onResult, signal } = options;
        const cleanup = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const { endpoint, stop } = await startDynamoDb(engine ? { engine } : {});
        cleanup.defer(stop);
        const dynamodb = new DynamoDBClient(localClientConfig(endpoint));
        cleanup.defer(() => dynamodb.destroy());
        const functions = await createFunctionHost(service, endpoint, cleanup);
        const limit = pLimit(lanes);
        cleanup.defer(() => limit.clearQueue());
        return await limit.map(cells, async (cell) => {
            signal?.throwIfAborted();
            const result = await runCell({ service, dynamodb, functions }, cell, options).catch((error) => {
                throw new Error(`${cell.approach} × ${cell.fault}: ${error.stack}`);
            });
            onResult?.(result);
            return result;
        });
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
