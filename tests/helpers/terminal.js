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
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { createTestDir } from './test-dir.ts';
/**
 * Runs a command on its own terminal with stdout redirected, as in `TOKEN=$(...)`. Returns stdout and
 * the terminal's output.
 */
export async function runOnTerminal(script, args, { environment, dialog }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const dir = __addDisposableResource(env_1, await createTestDir(), true);
        const file = path.join(dir.path, 'stdout');
        const words = [process.execPath, path.join(projectDir, script), ...args];
        const command = `${words.map((word) => `'${word}'`).join(' ')} > '${file}'`;
        const child = spawn('script', scriptArgs(command), {
            env: { ...environment, SHELL: '/bin/sh' },
            stdio: ['pipe', 'pipe', 'inherit'],
        });
        let shown = '';
        child.stdout.setEncoding('utf8').on('data', (text) => {
            shown += text;
        });
        const closed = once(child, 'close');
        for (const [question, keys] of dialog) {
            await expect.poll(() => shown, { timeout: 30000 }).toContain(question);
            child.stdin.write(keys);
        }
        const [code] = await closed;
        return { code, stdout: await readFile(file, 'utf8'), shown: shown.replaceAll('\r', '') };
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
/** `script` takes the command as an option on Linux, and as arguments on macOS. */
function scriptArgs(command) {
    return process.platform === 'darwin'
        ? ['-q', '/dev/null', 'sh', '-c', command]
        : ['--quiet', '--return', '--command', command, '/dev/null'];
}
