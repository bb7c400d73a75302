import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

const run = promisify(execFile);
// npm passes its own settings to the scripts that it runs, such as these tests.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_')),
);
const { stdout: npmVersion } = await run('npm', ['--version'], { env });
const enforces = npmVersion.localeCompare('11.16.0', 'en', { numeric: true }) >= 0;

/** Installs a package whose script creates a file into a project with this one's settings. */
async function install(dir: string) {
  const [evil, app] = [path.join(dir, 'evil'), path.join(dir, 'app')];
  const ran = path.join(dir, 'ran');
  const script = `node -e "require('fs').writeFileSync('${ran}', '')"`;
  for (const name of [evil, app]) await mkdir(name);
  const manifest = { name: 'evil', version: '1.0.0', scripts: { postinstall: script } };
  await writeFile(path.join(evil, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', dir], { cwd: evil, env });
  const own = JSON.parse(await readFile(path.join(projectDir, 'package.json'), 'utf8'));
  const { allowScripts } = own;
  await writeFile(path.join(app, 'package.json'), JSON.stringify({ allowScripts }));
  await copyFile(path.join(projectDir, '.npmrc'), path.join(app, '.npmrc'));
  const quietly = ['--offline', '--no-audit', '--no-fund', '--cache', path.join(dir, 'cache')];
  const args = ['install', path.join(dir, 'evil-1.0.0.tgz'), ...quietly];
  // CONTRIBUTING.md and the workflows add this where npm is older.
  const end = await run('npm', enforces ? args : [...args, '--ignore-scripts'], {
    cwd: app,
    env,
  }).catch((error) => error);
  return { stderr: `${end.stderr}`, hasRun: existsSync(ran) };
}

test("a package that isn't listed can't run a script, in the proofs' folder either", async () => {
  await using dir = await createTestDir();

  const { stderr, hasRun } = await install(dir.path);

  expect(hasRun).toBe(false);
  if (enforces) expect(stderr).toContain('ESTRICTALLOWSCRIPTS');
  const proofs = await readFile(path.join(projectDir, 'proofs/.npmrc'), 'utf8');
  expect(proofs).toMatch(/^strict-allow-scripts=true$/m);
});
