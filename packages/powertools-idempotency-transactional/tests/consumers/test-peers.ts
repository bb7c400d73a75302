// Runs the package's tests on the oldest or the newest version of each peer, which PEERS names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { packageDir } from '../helpers/examples.ts';
import { peerVersions } from './cells.ts';

const { PEERS = '' } = process.env;
if (PEERS !== 'oldest' && PEERS !== 'newest')
  throw new Error(`expected PEERS to be oldest or newest; got "${PEERS}"`);

// The package's own dependency has to fit its peer.
const util = { '@aws-sdk/util-dynamodb': peerVersions.oldest['@aws-sdk/client-dynamodb'] };
const packages = Object.entries({ ...peerVersions.oldest, ...util }).map(
  ([name, oldest]) => `${name}@${PEERS === 'oldest' ? oldest : 'latest'}`,
);

const folder = mkdtempSync(path.join(tmpdir(), 'peers-'));
try {
  writeFileSync(path.join(folder, 'package.json'), '{}');
  run('npm', ['install', '--save-exact', ...packages], folder);
  const config = path.join(packageDir, 'vitest.config.ts');
  const projects = ['unit', 'integration:*'].flatMap((name) => ['--project', name]);
  run(
    'npx',
    ['vitest', 'run', '--config', config, ...projects, ...process.argv.slice(2)],
    projectDir,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string, args: string[], cwd: string): void {
  const env = { ...process.env, PEERS_FOLDER: folder };
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}
