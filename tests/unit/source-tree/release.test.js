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
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { createTestDir } from '../../helpers/test-dir.ts';
const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
/** A clone of this repository, and what the workflow `release` runs in it. */
async function openClone() {
    const dir = await createTestDir();
    const git = (...args) => execFileSync('git', [...author, ...args], { cwd: dir.path });
    git('clone', '--quiet', '--no-tags', '--depth', '1', `file://${projectDir}`, '.');
    const edit = async (file, change) => {
        const target = path.join(dir.path, file);
        await writeFile(target, change(await readFile(target, 'utf8')));
    };
    return {
        [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
        git,
        listArchive: (file) => execFileSync('tar', ['-tzf', file], { cwd: dir.path, encoding: 'utf8' }).split('\n'),
        read: (file) => readFile(path.join(dir.path, file), 'utf8'),
        /** Adds a version to the changelog, as CONTRIBUTING.md says, and commits it. */
        addVersion: async (heading, inManifest) => {
            await edit('CHANGELOG.md', (text) => text.replace(/^## /m, `## ${heading}\n\nNotes.\n\n## `));
            await edit('package.json', (text) => text.replace(/"version": "[^"]+"/, `"version": "${inManifest}"`));
            await mkdir(path.join(dir.path, 'fixtures/releases/9.8.7'), { recursive: true });
            await writeFile(path.join(dir.path, 'fixtures/releases/9.8.7/forms.json'), '{}');
            git('add', '--all');
            git('commit', '--quiet', '--message', 'chore: release');
        },
        prepare: () => {
            const script = '.github/scripts/prepare-release.ts';
            try {
                execFileSync(process.execPath, [script], { cwd: dir.path, stdio: 'pipe' });
                return [];
            }
            catch (error) {
                const { stderr } = error;
                return `${stderr}`.trim().split('\n');
            }
        },
    };
}
test('a release has the version, the notes and the sources of its changelog', async () => {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const clone = __addDisposableResource(env_1, await openClone(), true);
        await clone.addVersion('9.8.7 - 2026-12-01', '9.8.7');
        const problems = clone.prepare();
        expect(problems).toEqual([]);
        expect(await clone.read('.release/version')).toBe('9.8.7');
        expect(await clone.read('.release/notes.md')).toBe('Notes.');
        expect(clone.listArchive('.release/click-tally-9.8.7.tar.gz')).toContain('click-tally-9.8.7/serverless.yml');
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
test('a version without a date, with a tag or with another manifest is rejected', async () => {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        const clone = __addDisposableResource(env_2, await openClone(), true);
        await clone.addVersion('9.8.7 - 2026-12-01', '9.8.6');
        clone.git('tag', 'v9.8.7');
        const undated = __addDisposableResource(env_2, await openClone(), true);
        await undated.addVersion('9.8.7 - Unreleased', '9.8.7');
        expect(clone.prepare()).toEqual([
            'expected the version of package.json to be 9.8.7; got 9.8.6.',
            'expected a version without a tag; got 9.8.7. Add a section to CHANGELOG.md.',
        ]);
        expect(undated.prepare()).toEqual([
            'expected "## <version> - <date>" first in the changelog; got "## 9.8.7 - Unreleased"',
        ]);
    }
    catch (e_2) {
        env_2.error = e_2;
        env_2.hasError = true;
    }
    finally {
        const result_2 = __disposeResources(env_2);
        if (result_2)
            await result_2;
    }
});
test('a version whose stored forms are not frozen, or with changes that are not committed, is rejected', async () => {
    const env_3 = { stack: [], error: void 0, hasError: false };
    try {
        const clone = __addDisposableResource(env_3, await openClone(), true);
        await clone.addVersion('9.8.7 - 2026-12-01', '9.8.7');
        clone.git('rm', '-r', '--quiet', 'fixtures/releases/9.8.7');
        expect(clone.prepare()).toEqual([
            expect.stringMatching(/^expected the stored forms of 9\.8\.7 in fixtures\/releases\/9\.8\.7/),
            expect.stringMatching(/^expected a checkout without changes/),
        ]);
    }
    catch (e_3) {
        env_3.error = e_3;
        env_3.hasError = true;
    }
    finally {
        const result_3 = __disposeResources(env_3);
        if (result_3)
            await result_3;
    }
});
