// Runs the packed package and the bundled example on each version of Node that package.json allows. npm downloads these
// versions; all other packages are those of the repository.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDynamoDb } from '../../../../local/engines/dynamodb.ts';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { packageName } from '../helpers/examples.ts';
import {
  bundle,
  compileCheck,
  findFailures,
  findNode,
  installTools,
  type Kind,
  nodes,
  packInto,
  report,
  runIn,
  writeProject,
} from './project.ts';

const root = await mkdtemp(path.join(tmpdir(), 'nodes-'));
const modules = path.join(projectDir, 'node_modules');
const tsc = path.join(modules, 'typescript/bin/tsc');
const orderChecks = 7;

/** Installs the tarball into a project of this kind, and compiles its program. */
async function makeApp(kind: Kind, tarball: string): Promise<string> {
  const app = path.join(root, kind);
  await writeProject(app, kind);
  const installed = path.join(app, 'node_modules', packageName);
  await mkdir(installed, { recursive: true });
  await runIn(installed)('tar', '-xzf', tarball, '--strip-components=1');
  await compileCheck(app, 'nodenext', () => runIn(app)(process.execPath, tsc));
  return path.join(app, 'check.js');
}

/** Bundles the example's functions, as its serverless.yml does. */
async function bundleExample(): Promise<string> {
  const outfile = path.join(root, 'orders.mjs');
  const entry = path.join(import.meta.dirname, 'check-orders.ts');
  await bundle(runIn(root), entry, outfile, 'esm');
  return outfile;
}

const engine = await startDynamoDb();
try {
  await installTools(path.join(root, 'tools'));
  await symlink(modules, path.join(root, 'node_modules'));
  const tarball = await packInto(root, '--offline');
  const apps = { esm: await makeApp('esm', tarball), cjs: await makeApp('cjs', tarball) };
  const orders = await bundleExample();

  for (const version of nodes) {
    const node = findNode(path.join(root, 'tools'), version);
    const run = runIn(root, {
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      TABLE_NAME: randomUUID(),
      QUEUE_RETENTION_SECONDS: '1000',
      DEAD_LETTER_RETENTION_SECONDS: '10000',
    });
    for (const [kind, program] of Object.entries(apps)) {
      await report(`Node ${version}, ${kind}`, run(node, program).then(findFailures));
    }
    const booking = run(node, orders).then((printed) => findFailures(printed, orderChecks));
    await report(`Node ${version}, examples/orders`, booking);
  }
} finally {
  await engine.stop();
  await rm(root, { recursive: true, force: true });
}
