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
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
export const rolls = ['forward', 'back'];
/** A task as command line options. */
export function describeTask({ seed, maxClicks, roll, bug }) {
    const clicks = maxClicks ? ` --clicks ${maxClicks}` : '';
    const direction = roll ? ` --roll ${roll}` : '';
    return `--seed ${seed}${clicks}${direction}${bug ? ` --bug "${bug}"` : ''}`;
}
/** Instances are short-lived, so most garbage is young. A larger space takes longer to map. */
const resourceLimits = { maxYoungGenerationSizeMb: 128 };
/** A thread that runs worlds sequentially. */
export class Simulator {
    #worker = new Worker(new URL('simulator-worker.ts', import.meta.url), {
        execArgv: [],
        resourceLimits,
    });
    #inTurn = pLimit(1);
    /** @throws Error that names the task, if the simulation itself fails. */
    run(task) {
        return this.#inTurn(async () => {
            this.#worker.postMessage(task);
            const replies = await once(this.#worker, 'message');
            const { result, error } = replies[0];
            if (!result)
                throw new Error(error);
            return result;
        });
    }
    /** Ends the thread after its tasks. It exits by itself, because terminating many can crash V8. */
    async [Symbol.asyncDispose]() {
        await this.#inTurn(() => {
            this.#worker.postMessage('stop');
            return once(this.#worker, 'exit');
        });
    }
}
/** Performs tasks on all cores until none are left or `onResult` returns false. */
export async function runTasks(tasks, onResult) {
    let goesOn = true;
    const runThread = async () => {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const simulator = __addDisposableResource(env_1, new Simulator(), true);
            for (let next = tasks.next(); goesOn && !next.done; next = tasks.next()) {
                goesOn = onResult(await simulator.run(next.value)) && goesOn;
            }
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
    };
    await Promise.all(Array.from({ length: availableParallelism() }, runThread));
}
