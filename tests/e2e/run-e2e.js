import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readToken } from '../../cli/given-token.ts';
import { addStackOptions, findStack } from '../../cli/stack.ts';
import { abortOnInterrupt, createProgram, exitCodes, runProgram, } from '../../cli/terminal/program.ts';
import { takesPasswords } from '../../cli/user-pool.ts';
import { cleanUp } from './clean-up.ts';
import { describeTarget, targetVariable } from './target.ts';
import { createTemporaryUser } from './temporary-user.ts';
const packageFile = createRequire(import.meta.url).resolve('vitest/package.json');
const vitest = path.join(path.dirname(packageFile), 'vitest.mjs');
const config = path.join(import.meta.dirname, 'vitest.config.ts');
const root = path.resolve(import.meta.dirname, '../..');
const description = `Test a deployed stage, or the stack of npm start, and delete the tests' data.

Takes a few minutes. On a stage, the tests sign in as a temporary user. Stages that don't accept
passwords from commands, such as staging, need your token in the environment variable TOKEN instead.`;
const program = addStackOptions(createProgram('e2e', description))
    .option('--api-url <url>', "the API to test (default: the stack's ApiUrl)")
    .action(runTests);
await runProgram(program);
async function runTests({ apiUrl, ...options }) {
    const signal = abortOnInterrupt();
    const stack = await findStack(options);
    const runId = `e2e-${randomBytes(4).toString('hex')}`;
    const api = (apiUrl ?? stack.output('ApiUrl')).replace(/\/$/, '');
    console.log(`Run ${runId} tests ${stack.name}.`);
    const user = await signIn(stack, runId);
    try {
        await playTests(describeTarget(stack, { runId, api, token: user.token }), signal);
    }
    finally {
        await user.remove();
    }
}
async function signIn(stack, runId) {
    const isUserNeeded = stack.token === undefined && takesPasswords(stack);
    if (isUserNeeded)
        return createTemporaryUser(stack, `${runId}@example.com`);
    return { token: readToken(stack), remove: async () => undefined };
}
async function playTests(target, signal) {
    if (signal.aborted)
        return;
    try {
        const code = await runVitest(target, signal);
        if (!signal.aborted)
            process.exitCode = code;
    }
    finally {
        const { items, deadLetters } = await cleanUp(target);
        console.log(`Deleted ${items} items and ${deadLetters} dead letters of run ${target.runId}.`);
        if (process.exitCode) {
            console.log('Its messages still in flight may yet become dead letters.');
        }
    }
}
/** Runs the tests in their own process group, so they don't get Ctrl-C and we can stop them. */
async function runVitest(target, signal) {
    const child = spawn(process.execPath, [vitest, 'run', '--root', root, '--config', config], {
        env: { ...process.env, [targetVariable]: JSON.stringify(target) },
        stdio: ['ignore', 'inherit', 'inherit'],
        detached: true,
    });
    signal.addEventListener('abort', () => child.pid && process.kill(-child.pid, 'SIGKILL'));
    const [code] = await once(child, 'exit');
    return code ?? exitCodes.interrupted;
}
