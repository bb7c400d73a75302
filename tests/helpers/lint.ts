import { execFile } from 'node:child_process';
import { cp, glob, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const projectDir = path.resolve(import.meta.dirname, '../..');
const biome = path.join(projectDir, 'node_modules/@biomejs/biome/bin/biome');

/**
 * Lints files with the project's rules, in a scratch directory.
 *
 * @param files the text of each file, by its path from the project's root.
 * @returns the rules that files break, by file.
 */
export async function lint(files: Record<string, string>): Promise<Map<string, string[]>> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-lint-'));
  for await (const name of glob(['biome*', '.gitignore'], { cwd: projectDir })) {
    await cp(path.join(projectDir, name), path.join(scratch.path, name));
  }
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(scratch.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none'];
  const { promise, resolve } = Promise.withResolvers<string>();
  // Biome exits with 1 if it finds something, so a failed command is expected.
  execFile(process.execPath, args, { cwd: scratch.path }, (_error, stdout) => resolve(stdout));
  const { diagnostics } = JSON.parse(await promise);

  const broken = new Map<string, string[]>();
  for (const { category, location } of diagnostics) {
    broken.set(location.path, [...(broken.get(location.path) ?? []), category]);
  }
  return broken;
}
