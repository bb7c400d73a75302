import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { projectDir } from '../../local/engines/serverless.ts';
/** Whether zsh is installed, which reads pasted lines more strictly than bash. */
export const hasZsh = spawnSync('zsh', ['-c', 'true']).status === 0;
/** Interactive shells read pasted lines differently from scripts. */
const [shell, ...options] = hasZsh ? ['zsh', '-f', '-i'] : ['bash', '--norc', '-i'];
/** Pastes lines into a shell in the project's folder and returns the output. */
export async function paste(lines, environment) {
    // In its own session, the shell can't take over the tests' terminal.
    const child = spawn(`${shell}`, options, {
        cwd: projectDir,
        env: { ...process.env, ...environment, HISTFILE: '/dev/null' },
        detached: true,
    });
    child.stdin.end(`${lines}\nexit\n`);
    const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
    ]);
    return stdout + stderr;
}
