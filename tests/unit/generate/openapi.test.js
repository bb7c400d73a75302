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
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../../generate/openapi/routes.ts';
import { startCommand } from '../../helpers/command.ts';
import { createTestDir } from '../../helpers/test-dir.ts';
test('the OpenAPI document is what npm run generate -- openapi writes', async () => {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const dir = __addDisposableResource(env_1, await createTestDir(), true);
        const file = path.join(dir.path, 'openapi.yml');
        const hint = 'docs/openapi.yml is not current. Run npm run generate -- openapi.';
        // A contributor's shell doesn't have the functions' variables.
        const shell = { PATH: process.env.PATH };
        const { stderr } = await startCommand('generate/generate.ts', ['openapi', file], shell).ended;
        expect(stderr).toBe('');
        expect(await readFile('docs/openapi.yml', 'utf8'), hint).toBe(await readFile(file, 'utf8'));
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
// The document's schemas are less strict than the code, because JSON Schema can't express every rule.
test.each(routes.filter(({ body }) => body))('the code accepts the example requests of $function', ({ body }) => {
    for (const [name, value] of Object.entries(body?.examples ?? {})) {
        expect(body?.schema.safeParse(value), name).toMatchObject({ success: true });
    }
});
