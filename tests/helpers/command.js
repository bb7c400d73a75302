import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
/** An environment without the developer's AWS settings, and these. */
export const isolatedEnvironment = (variables) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    return { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', ...variables };
};
/** Starts a command in its own process, as npm does, and collects its output. */
export function startCommand(script, args = [], environment = process.env) {
    const child = spawn(process.execPath, [path.join(projectDir, script), ...args], {
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { stdout: '', stderr: '', all: '' };
    for (const name of ['stdout', 'stderr']) {
        child[name].setEncoding('utf8').on('data', (text) => {
            printed[name] += text;
            printed.all += text;
        });
    }
    const ended = once(child, 'close').then(([code, signal]) => {
        const { stdout, stderr } = printed;
        return { code: (code ?? signal), stdout, stderr };
    });
    return { child, ended, output: () => printed.all };
}
let runs = 0;
/**
 * Runs a command in this process, which loads its modules once for all tests of a file. One at a
 * time: commands that run at once or get signals need {@link startCommand}.
 */
export async function runCommand(script, args, environment) {
    const { argv, env } = process;
    const known = new Set(listListeners().map(({ listener }) => listener));
    const printed = { stdout: '', stderr: '' };
    const spies = ['stdout', 'stderr'].map((name) => vi.spyOn(process[name], 'write').mockImplementation((text) => {
        printed[name] += text;
        return true;
    }));
    Object.assign(process, { argv: [process.execPath, script, ...args], env: environment });
    try {
        const { href } = pathToFileURL(path.join(projectDir, script));
        // Another address, so that the script runs again. Its imports have run.
        await import(/* @vite-ignore */ `${href}?run=${++runs}`);
        return { code: process.exitCode ?? 0, ...printed };
    }
    finally {
        for (const spy of spies)
            spy.mockRestore();
        Object.assign(process, { argv, env, exitCode: undefined });
        for (const { emitter, event, listener } of listListeners()) {
            if (!known.has(listener))
                emitter.off(event, listener);
        }
    }
}
/** The listeners that a command may add to the process. */
function listListeners() {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [process, signal]);
    const errors = [process.stdout, process.stderr].map((stream) => [stream, 'error']);
    return [...signals, ...errors].flatMap(([emitter, event]) => emitter.listeners(event).map((listener) => ({ emitter, event, listener })));
}
