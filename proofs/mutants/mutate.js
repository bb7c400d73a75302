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
import { globSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { packageService } from '../../local/engines/serverless.ts';
const layer = 'packages/powertools-idempotency-transactional';
const counting = globSync([
    `${layer}/src/*.ts`,
    'lib/clicks/*.ts',
    'lib/{code-schema,keys,validation}.ts',
    'functions/{aggregate-clicks,resolve-link}.ts',
]);
const others = globSync(['lib/**/*.ts', 'functions/*.ts']).filter((file) => !counting.includes(file));
/** Code, the tests that must notice its changes, and the percentage of mutants that they must kill. */
const areas = [
    {
        name: 'counting',
        bar: 90,
        code: counting,
        tests: [
            `${layer}/tests/{unit,integration}/*.test.ts`,
            'tests/unit/validation.test.ts',
            'tests/unit/{clicks,links,redirect}/*.test.ts',
            'tests/integration/clicks/*.test.ts',
        ],
    },
    {
        name: 'others',
        bar: 80,
        code: others,
        tests: [
            'tests/unit/config.test.ts',
            'tests/unit/{api-keys,aws,clicks,dynamodb,http,links,live,redirect,telemetry}/*.test.ts',
            'tests/integration/{links,live}/*.test.ts',
        ],
    },
];
const description = 'Mutate the code of lib/ and functions/ with Stryker, one change at a time, and see whether a test ' +
    'fails. List the changes that no test noticed, and exit with 1 if there are too many. The reports ' +
    'are in reports/mutation, with a page for each part of the code.';
await runProgram(createProgram('mutate', description, 'proofs')
    .argument('[paths...]', 'only these files, such as "lib/redirect/*.ts"')
    .action(testMutants));
async function testMutants(paths) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const asked = globSync(paths);
        const cleanup = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-package-')));
        await packageService({ stage: 'local', outDir: dir.path, isEmpty: true });
        const { endpoint, stop } = await startDynamoDb({ engine: 'dynoxide' });
        cleanup.defer(stop);
        // All test runs, which are Stryker's processes, share one package and one engine.
        process.env.MUTANTS_PACKAGE_DIR = dir.path;
        process.env.DYNAMODB_ENDPOINT = endpoint;
        for (const area of areas) {
            const code = area.code.filter((file) => paths.length === 0 || asked.includes(file));
            if (code.length > 0)
                await testArea({ ...area, code });
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
}
// Stryker prints the survivors, and sets the exit code if an area is below its bar.
async function testArea({ name, bar, code, tests }) {
    process.env.MUTANTS_TESTS = tests.join(' ');
    const stryker = new Stryker({
        mutate: code,
        testRunner: 'vitest',
        plugins: ['@stryker-mutator/vitest-runner'],
        vitest: { configFile: 'proofs/mutants/vitest.config.ts' },
        coverageAnalysis: 'perTest',
        // Code that runs only as its module loads would need all tests, which takes four times as long.
        ignoreStatic: true,
        // Stryker would rewrite its copy's tsconfig.json with an API that TypeScript 7 doesn't have any more.
        // Vitest doesn't need one.
        tsconfigFile: 'none',
        tempDirName: '.stryker-tmp',
        cleanTempDir: 'always',
        ignorePatterns: ['.local', '.build', '.esbuild', '.serverless', 'reports'],
        reporters: ['progress-append-only', 'clear-text', 'html'],
        clearTextReporter: { logTests: false },
        htmlReporter: { fileName: `reports/mutation/${name}.html` },
        thresholds: { high: bar, low: bar, break: bar },
    });
    await stryker.runMutationTest();
}
