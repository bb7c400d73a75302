// Installs the packed package into projects that are made from scratch, as the README says, and runs the same program
// in each. `node tests/consumers/consume.ts cjs pnpm` runs only the cells whose name matches each pattern.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDynamoDb } from '../../../../local/engines/dynamodb.ts';
import { readTestingExamples } from '../helpers/examples.ts';
import { type Cell, cells, nameCell, peerVersions } from './cells.ts';
import {
  bundleCheck,
  compileCheck,
  findFailures,
  findNode,
  installTools,
  packInto,
  type Run,
  readInstallLines,
  report,
  runIn,
  writeProject,
} from './project.ts';

const oldestSdk = peerVersions.oldest['@aws-sdk/client-dynamodb'];
const root = await mkdtemp(path.join(tmpdir(), 'consumers-'));
const tools = path.join(root, 'tools');
const tool = (name: string) => path.join(tools, 'node_modules', name);

/** Installs what the README's two lines name, and the tools of this cell. */
async function install(cell: Cell, run: Run, tarball: string) {
  const { manager, peers, resolution, typescript } = cell;
  const { needed, development } = readInstallLines();
  const versions: Record<string, string> = peers ? peerVersions[peers] : {};
  const packages = needed.map((name) => (versions[name] ? `${name}@${versions[name]}` : name));
  const others = development.filter((name) => name !== 'typescript');
  const add = (...names: string[]) =>
    manager === 'npm' ? run('npm', 'install', ...names) : run(tool('.bin/pnpm'), 'add', ...names);
  // In a project with pinned versions, they are there first.
  if (peers) await add('-E', ...packages);
  // In Lambda's runtime, all packages of the SDK are of one version.
  if (cell.leftToRuntime) await add('-E', `@aws-sdk/util-dynamodb@${oldestSdk}`);
  await add(tarball, ...(peers ? [] : packages));
  if (resolution === 'bundler') others.push('esbuild');
  await add('-D', ...others, `typescript@${typescript}`);
}

async function runCell(cell: Cell, tarball: string): Promise<string[]> {
  const app = path.join(root, 'app');
  await rm(app, { recursive: true, force: true });
  await writeProject(app, cell.kind);
  const run = runIn(app, { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint });
  await install(cell, run, tarball);
  await compileCheck(app, cell.resolution, () => run('tsc'));
  const program =
    cell.resolution === 'bundler'
      ? await bundleCheck(run, cell.kind, cell.leftToRuntime)
      : 'check.js';
  return findFailures(await run(findNode(tools, cell.node), program));
}

/** Runs the tests of the page on testing in Jest, in CommonJS. The one with a mock has fake timers. */
async function runJest(tarball: string): Promise<string[]> {
  const app = path.join(root, 'jest');
  await writeProject(app, 'cjs');
  const run = runIn(app, { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint });
  const { needed } = readInstallLines();
  await run('npm', 'install', '--ignore-scripts', tarball, ...needed, 'jest', 'esbuild');
  for (const [name, example] of Object.entries(readTestingExamples())) {
    const text = example.replace(/^import .* from 'vitest';$/m, '').replaceAll('vi.', 'jest.');
    await writeFile(path.join(app, `${name}.ts`), text);
    const outfile = `--outfile=${name}.test.js`;
    await run('esbuild', `${name}.ts`, '--format=cjs', '--platform=node', outfile);
  }
  await run('jest');
  return [];
}

const patterns = process.argv.slice(2);
const isChosen = (name: string) => patterns.every((pattern) => new RegExp(pattern).test(name));
const engine = await startDynamoDb();
try {
  await installTools(tools, 'pnpm', '@arethetypeswrong/cli');
  const tarball = await packInto(root);
  const areTypesRight = async () => {
    await runIn(root)(tool('.bin/attw'), tarball);
    return [];
  };
  if (isChosen('attw')) await report('attw', areTypesRight());
  if (isChosen('jest')) await report('jest', runJest(tarball));
  const chosen = new Map(cells.map((cell) => [nameCell(cell), cell]));
  for (const [name, cell] of chosen) if (isChosen(name)) await report(name, runCell(cell, tarball));
} finally {
  await engine.stop();
  await rm(root, { recursive: true, force: true });
}
