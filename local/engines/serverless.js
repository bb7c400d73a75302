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
import { copyFile, mkdir, mkdtempDisposable, readdir, readFile, symlink, writeFile, } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { startChild } from './child-process.ts';
export const projectDir = path.resolve(import.meta.dirname, '../..');
const serviceFile = 'serverless.yml';
const serverless = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');
/**
 * Runs `serverless package`, which doesn't need credentials. It writes the CloudFormation template
 * and one archive per function to `outDir`. Returns the framework's output. Bundling takes most of
 * the time, so with `isEmpty` it's faster, and there is only the template.
 * @throws {CommandError} with the framework's output if serverless.yml or a function doesn't build.
 */
export async function packageService({ stage, outDir, params, ...service }) {
    const args = ['package', '--stage', stage, '--package', path.resolve(outDir)];
    const child = await startServerless([...args, ...paramArgs(params)], service);
    const code = await child.exited;
    if (code !== 0) {
        throw new CommandError(`Cannot package the service:\n${readOutput(child)}`);
    }
    return child.output();
}
/**
 * Starts the Serverless Framework in a temporary directory with symlinks to the service. The
 * framework clears its working directory and builds there, so in a shared directory, a test run
 * would delete the code of a running stack. The directory is removed when the framework ends.
 */
export async function startServerless(args, options = {}) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { serviceDir = '', isEmpty = false, ...childOptions } = options;
        const cleanup = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-service-')));
        const scratchDir = await linkService(dir.path, { serviceDir, isEmpty });
        const child = startChild(process.execPath, [serverless, ...args], {
            ...childOptions,
            cwd: path.join(dir.path, serviceDir),
            resource: dir,
            // The framework leaves files behind in TMPDIR.
            env: { ...(childOptions.env ?? process.env), TMPDIR: scratchDir },
        });
        cleanup.move();
        return child;
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
/** The framework's output, without stack traces and notes about its environment. */
export function readOutput(child) {
    const noise = /^\s+at |^(Environment|Docs):|^Error:$/;
    const lines = child.output().split('\n');
    return lines
        .filter((line) => !noise.test(line))
        .join('\n')
        .trim();
}
/** Formats params as command-line options of the framework. */
export function paramArgs(params = {}) {
    return Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
}
/** Links the project into `dir`, and returns an empty directory there for temporary files. */
async function linkService(dir, { serviceDir, isEmpty }) {
    const [ownFolder = ''] = serviceDir.split('/');
    await linkEntries(projectDir, dir, ownFolder);
    if (serviceDir)
        await linkEntries(path.join(projectDir, serviceDir), path.join(dir, serviceDir));
    if (isEmpty)
        await emptyService(dir);
    const scratchDir = path.join(dir, '.tmp');
    await mkdir(scratchDir);
    return scratchDir;
}
/** Without the plugins that bundle or run functions, the framework also starts faster. */
async function emptyService(dir) {
    const file = path.join(dir, serviceFile);
    const service = (await readFile(file, 'utf8'))
        .replaceAll(/^ {2}- serverless-(esbuild|offline)\n/gm, '')
        .replace('individually: true', 'artifact: empty.zip');
    await writeFile(file, service);
    await writeFile(path.join(dir, 'empty.zip'), '');
}
async function linkEntries(fromDir, toDir, except) {
    await mkdir(toDir, { recursive: true });
    const entries = (await readdir(fromDir)).filter((name) => !name.startsWith('.'));
    for (const name of entries) {
        if (name === except)
            continue;
        const from = path.join(fromDir, name);
        const to = path.join(toDir, name);
        // The framework rejects a service file that is a link.
        await (name === serviceFile ? copyFile(from, to) : symlink(from, to));
    }
}
