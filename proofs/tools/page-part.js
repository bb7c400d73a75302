import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectDir } from '../../local/engines/serverless.ts';
/**
 * Writes parts of a page in docs/, such as tables, between the lines that name them and the command.
 * Each gets the date and the commit of the run, which is "-dirty" if something was changed.
 * @throws {Error} if the page lacks such a line.
 */
export async function writeParts(page, command, parts) {
    const file = path.join(projectDir, 'docs', page);
    const git = ['describe', '--always', '--dirty', '--exclude', '*'];
    const commit = execFileSync('git', git, { encoding: 'utf8', cwd: projectDir }).trim();
    const run = `<sub>${new Date().toISOString().slice(0, 10)}, ${commit}</sub>`;
    let text = await readFile(file, 'utf8');
    for (const [name, part] of Object.entries(parts)) {
        const begin = `<!-- ${name}: npm --prefix proofs run ${command} writes this -->\n`;
        const end = `\n<!-- /${name} -->`;
        const from = text.indexOf(begin);
        const to = text.indexOf(end);
        if (from < 0 || to < from)
            throw new Error(`expected docs/${page} to have ${begin} … ${end}`);
        text = `${text.slice(0, from)}${begin}\n${part}\n\n${run}\n${text.slice(to)}`;
    }
    await writeFile(file, text);
}
