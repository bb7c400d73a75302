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
import { expect, test } from 'vitest';
import { useOperatedStack } from '../../helpers/operator.ts';
import { createTestDir } from '../../helpers/test-dir.ts';
const stack = useOperatedStack();
const json = '{"id":"a-1","detail":{"code":"spring","at":"2026-05-26T10:00:00Z"}}';
test('a message is sent the given number of times, and a file byte for byte', async () => {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const dir = __addDisposableResource(env_1, await createTestDir(), true);
        const file = path.join(dir.path, 'broken.txt');
        await writeFile(file, ' {"id": broken\n');
        const sent = await stack.run('send.ts', [json, '--times', '12']);
        await stack.run('send.ts', [file]);
        expect(sent.code).toBe(0);
        expect(sent.stdout).toBe('Sent the same message 12 times to ClickQueue of the local stack at http://127.0.0.1:1.\n');
        expect(await stack.drainBodies(stack.outputs.clickQueueUrl)).toEqual([
            ' {"id": broken\n',
            ...Array(12).fill(json),
        ]);
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
});
test("SQS's rejection of a message is reported", async () => {
    const { code, stdout, stderr } = await stack.run('send.ts', ['{"id":"\uffff"}']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: SQS accepted 0 of 1 messages and rejected one: [^\n]+\n$/);
});
