import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { localEnvironment } from '../../../../cli/local-aws.ts';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { useTestDir } from '../../../../tests/helpers/test-dir.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { peerVersions, typescripts } from '../consumers/cells.ts';
import {
  type Bundler,
  bundleCheck,
  compileCheck,
  findFailures,
  type Kind,
  runIn,
} from '../consumers/project.ts';
import {
  deliver,
  packageDir,
  packageName,
  readBlock,
  readReadmeExample,
  readRecipes,
} from '../helpers/examples.ts';
import {
  buildPackage,
  checkTypes,
  installPackage,
  readNpm,
  writeJavaScript,
} from '../helpers/installed-package.ts';

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(projectDir, folder, 'package.json'), 'utf8'));
const manifest = readManifest('packages/powertools-idempotency-transactional');
const oldestTypescript = typescripts[0]?.replace(/\.\d+$/, '');

const table = useTable();
const dir = useTestDir();
let tarball = '';
let app = '';
let commonJs = '';

beforeAll(async () => {
  const built = path.join(dir.path, 'built');
  await buildPackage(built);
  const [{ filename }] = await readNpm(dir.path, 'pack', built);
  tarball = path.join(dir.path, filename);
  await symlink(path.join(projectDir, 'node_modules'), path.join(dir.path, 'node_modules'));
  app = await installPackage(dir.path, tarball, 'esm');
  commonJs = await installPackage(dir.path, tarball, 'cjs');
});

const sources = readdirSync(path.join(packageDir, 'src')).filter((name) => name.endsWith('.ts'));
const listFiles = ({ files }: { files: { path: string }[] }) => files.map((file) => file.path);

// These start processes, so they run side by side.
test.concurrent('the tarball holds each module of both kinds with its declaration and source map, and else only what npm adds', async () => {
  const modules = sources.map((name) => path.basename(name, '.ts'));
  const ofKind = (kind: string) =>
    modules.flatMap((name) =>
      ['.js', '.js.map', '.d.ts'].map((extension) => `lib/${kind}/${name}${extension}`),
    );
  const added = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'lib/cjs/package.json'];
  const expected = [...added, ...ofKind('cjs'), ...ofKind('esm')].toSorted();

  const [packed] = await readNpm(dir.path, 'pack', tarball, '--dry-run');

  expect(listFiles(packed).toSorted()).toEqual(expected);
});

test.concurrent.each([
  ['the sources', '.', 'npm run build'],
  ['a build that isn’t a release', 'built', 'Expected a release'],
])('npm refuses to publish %s', async (_, name, reason) => {
  const folder = name === '.' ? name : path.join(dir.path, name);

  await expect(readNpm(packageDir, 'publish', folder, '--dry-run')).rejects.toThrow(reason);
});

// A small cut of consumers/cells.ts, without a registry.
describe.each<[Kind, Bundler?]>([['esm'], ['cjs'], ['esm', 'esbuild'], ['cjs', 'esbuild']])(
  'a consumer in %s, bundled by %s',
  (kind, bundler) => {
    test('books an order once, and its errors have the classes of Powertools that it imports', async () => {
      const project = kind === 'esm' ? app : commonJs;
      const run = runIn(project, { AWS_ENDPOINT_URL_DYNAMODB: table.endpoint });
      const tsc = path.join(projectDir, 'node_modules/typescript/bin/tsc');
      await compileCheck(project, 'nodenext', () => run(process.execPath, tsc));
      const program = bundler ? await bundleCheck(project, run, bundler, kind) : 'check.js';

      expect(findFailures(await run(process.execPath, program))).toEqual([]);
    });
  },
);

// The invocations come later than Powertools' default hour, and than all retentions but one day.
test.concurrent('installed, its example books an order once for weeks, and refuses another price', async () => {
  const file = await writeJavaScript(app, await readReadmeExample());
  const order = { id: randomUUID(), customer: randomUUID(), cents: 250 };
  const deliverAfter = (laterMinutes: number, ...orders: object[]) =>
    deliver({ file, table }, makeBatch(orders.map((one) => JSON.stringify(one))), laterMinutes);

  const outcomes = [
    await deliverAfter(0, order, order),
    await deliverAfter(61, order),
    await deliverAfter(21 * 24 * 60, order),
  ];
  const changed = await deliverAfter(0, { ...order, cents: 300 });

  expect(outcomes).toEqual(Array(3).fill({ value: { batchItemFailures: [] } }));
  expect(changed.error).toContain('All records failed processing');
  expect(await table.get(`CUSTOMER#${order.customer}`, 'TOTAL')).toMatchObject({ cents: 250 });
  expect(await table.get(`ORDER#${order.id}`, 'ORDER')).toMatchObject({ cents: 250 });
  expect(await table.get(`ORDER#${order.id}`, 'MARKER')).toBeDefined();
});

test.concurrent('the README’s trial counts an order once, though its first delivery is killed', async () => {
  const readme = await readFile(path.join(packageDir, 'README.md'), 'utf8');
  await writeFile(
    path.join(app, 'book-orders.js'),
    stripTypeScriptTypes(await readReadmeExample()),
  );
  await writeFile(path.join(app, 'try-it.js'), readBlock(readme, 'js'));
  const env = {
    ...localEnvironment(),
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    TABLE_NAME: randomUUID(),
  };
  const tryIt = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['try-it.js', ...args], { cwd: app, env });

  await expect(tryIt('crash')).rejects.toMatchObject({ signal: 'SIGKILL' });
  const printed = [await tryIt(), await tryIt()].map(({ stdout }) => stdout);

  expect(printed).toEqual(Array(2).fill('{ batchItemFailures: [] }\ncents: 250\n'));
});

/** The examples of all pages, with one more line in one of them. */
async function readExamples(line = ''): Promise<Map<string, string>> {
  const durable = await readFile(path.join(packageDir, 'durable-functions.md'), 'utf8');
  const readme = await readFile(path.join(packageDir, 'README.md'), 'utf8');
  const claim = readBlock(readme.slice(readme.indexOf('## Writes without a marker')));
  const consumer = `${await readReadmeExample()}\n${line}`;
  const recipes = await readRecipes();
  return recipes
    .set('durable.ts', readBlock(durable))
    .set('claim.ts', claim)
    .set('consumer.ts', consumer);
}

test.concurrent('installed, its examples pass TypeScript at its strictest, as do its declarations, and a wrong line does not', async () => {
  const errors = await checkTypes(app, await readExamples("layer.receiptOf('an id');"));

  expect(errors).toMatch(/^\S*consumer\.ts\S+ error TS2345: .+\n$/);
});

test('the README tells its size, gzipped and without peers', async () => {
  const { outputFiles } = await build({
    entryPoints: [packageName],
    absWorkingDir: app,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    // The SDK's clients bring @smithy/core too.
    external: [...Object.keys(manifest.peerDependencies), '@smithy/core'],
    write: false,
  });
  const [bundle] = outputFiles;

  const kilobytes = Math.round(gzipSync(bundle?.contents ?? '').length / 1_000);

  const readme = await readFile(path.join(packageDir, 'README.md'), 'utf8');
  expect(/(\d+) KB\s+gzipped/.exec(readme)?.[1]).toBe(`${kilobytes}`);
});

// npm did not look at the peers here, so this says what it would have found.
test('its peers begin at the versions of the oldest consumer, and the README names these', async () => {
  const { '@aws-lambda-powertools/batch': _, ...oldest } = peerVersions.oldest;
  const readme = await readFile(path.join(packageDir, 'README.md'), 'utf8');
  const [powertools, sdk] = Object.values(oldest).map((version) => version.replace(/\.0$/, ''));

  expect(manifest.peerDependencies).toEqual(
    Object.fromEntries(Object.entries(oldest).map(([name, version]) => [name, `^${version}`])),
  );
  expect(readme.replaceAll(/\s+/g, ' ')).toContain(
    `Powertools ${powertools} and the AWS SDK ${sdk} or newer, and TypeScript ${oldestTypescript} or newer`,
  );
});
