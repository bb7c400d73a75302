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

interface Versions {
  own?: string;
  packaged?: string;
}

/** Runs the script that npm runs after an installation, with Nodes that only print their version. */
async function checkNode({ own, packaged }: Versions) {
  await using dir = await createTestDir();
  const [binDir, ownDir] = [path.join(dir.path, 'node_modules/.bin'), path.join(dir.path, 'own')];
  for (const file of files) await cp(path.join(projectDir, file), path.join(dir.path, file));
  await writeFile(path.join(dir.path, 'package.json'), '{ "type": "module" }');
  for (const [folder, version] of [...[[binDir, packaged] as const, [ownDir, own] as const]]) {
    if (!version) continue;
    await mkdir(folder, { recursive: true });
    const script = version === 'broken' ? 'exit 127' : `echo v${version}`;
    await writeFile(path.join(folder, 'node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  // npm adds the folder of each package above, and a user may have added it too.
  const env = { PATH: [binDir, `${binDir}/`, ownDir].join(path.delimiter) };
  const program = path.join(dir.path, 'local/check-node.js');
  const end = await promisify(execFile)(process.execPath, [program], { env }).catch((e) => e);
  const { code = 0, stdout, stderr }: { code?: number; stdout: string; stderr: string } = end;
  return { code, said: `${stdout}${stderr}`, keepsPackaged: existsSync(path.join(binDir, 'node')) };
}

const onOwn = (version: string) => `The scripts run on your own Node ${version}.\n`;
const onPackaged = (yours: string) =>
  `The scripts run on Node ${newest} from node_modules. ${yours}\n`;
const noNode = 'No other Node was found.';

test.each<[Versions, said: string, keepsPackaged: boolean]>([
  [{ own: newest, packaged: '24.21.0' }, onOwn(newest), false],
  [{ own: '100.1.0', packaged: '24.21.0' }, onOwn('100.1.0'), false],
  [{ own: '24.0.0' }, `${onOwn('24.0.0')}${lacks('24.0.0')} Install it.\n`, false],
  [{ own: '20.20.2', packaged: newest }, onPackaged('Your own Node 20.20.2 is unchanged.'), true],
  [{ own: 'broken', packaged: newest }, onPackaged(noNode), true],
  [{ packaged: newest }, onPackaged(noNode), true],
])('with the versions %o, the scripts run: %s', async (versions, said, keepsPackaged) => {
  expect(await checkNode(versions)).toEqual({ code: 0, said, keepsPackaged });
});

test.each([{ own: '23.11.1' }, { own: '20.20.2', packaged: 'broken' }, {}])(
  'without a recent Node, the installation fails with a one-line error: %o',
  async (nodes) => {
    const { code, said } = await checkNode(nodes);

    expect(code).toBe(1);
    const got = `got ${nodes.own ?? 'none'}, and npm did not install one for`;
    expect(said).toBe(
      `Expected Node 24 or newer for the scripts; ${got} ${process.platform}-${process.arch}. Install ` +
        'it from https://nodejs.org/en/download or with "nvm install 24", then run npm ci again.\n',
    );
  },
);
