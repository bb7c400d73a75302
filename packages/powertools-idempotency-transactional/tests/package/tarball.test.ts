import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { useTestDir } from '../../../../tests/helpers/test-dir.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { peerVersions, runtimePackages, typescripts } from '../consumers/cells.ts';
import {
  bundleCheck,
  compileCheck,
  findFailures,
  type Kind,
  packInto,
  runIn,
  writeProject,
} from '../consumers/project.ts';
import {
  packageDir,
  packageName,
  readBlock,
  readDocExamples,
  readPage,
  readRecipes,
  readTestingExamples,
} from '../helpers/examples.ts';

const manifest = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8'));
const oldestTypescript = typescripts[0]?.replace(/\.\d+$/, '');
const readme = readPage('README.md');
const consumer = readPage('examples/try-it/book-orders.ts');
const modulesDir = path.join(projectDir, 'node_modules');
const tsc = path.join(modulesDir, 'typescript/bin/tsc');

const table = useTable();
const dir = useTestDir();
let tarball = '';
const apps: Record<Kind, string> = { esm: '', cjs: '' };

beforeAll(async () => {
  tarball = await packInto(dir.path, '--offline');
  // What npm would fetch from a registry, on which a test can't count.
  await symlink(modulesDir, path.join(dir.path, 'node_modules'));
  for (const kind of ['esm', 'cjs'] as const) {
    apps[kind] = path.join(dir.path, kind);
    await writeProject(apps[kind], kind);
    const installed = path.join(apps[kind], 'node_modules', packageName);
    await mkdir(installed, { recursive: true });
    await runIn(installed)('tar', '-xzf', tarball, '--strip-components=1');
    await compileCheck(apps[kind], 'nodenext', () => runIn(apps[kind])(process.execPath, tsc));
  }
});

// These start processes, so they run side by side.
test.concurrent('the tarball holds each module of both kinds with its declaration and source map, and else only what npm adds', async () => {
  const sources = readdirSync(path.join(packageDir, 'src')).filter((name) => name.endsWith('.ts'));
  const modules = sources.flatMap((name) =>
    ['.js', '.js.map', '.d.ts'].map((extension) => `${path.basename(name, '.ts')}${extension}`),
  );
  const lib = ['cjs', 'esm'].flatMap((kind) => modules.map((name) => `lib/${kind}/${name}`));
  const added = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'lib/cjs/package.json'];

  const packing = runIn(dir.path)('npm', 'pack', tarball, '--dry-run', '--json', '--offline');

  const [{ files }] = JSON.parse(await packing);
  const listed = files.map((file: { path: string }) => file.path);
  expect(listed.toSorted()).toEqual([...added, ...lib].toSorted());
});

// A small cut of consumers/cells.ts, without a registry.
describe.each<[Kind, boolean]>([
  ['esm', false],
  ['cjs', false],
  ['esm', true],
  ['cjs', true],
])('a consumer in %s, bundled: %s', (kind, isBundled) => {
  test('books an order once, and its errors have the classes of Powertools that it imports', async () => {
    const run = runIn(apps[kind], { AWS_ENDPOINT_URL_DYNAMODB: table.endpoint });
    const program = isBundled ? await bundleCheck(run, kind) : 'check.js';

    expect(findFailures(await run(process.execPath, program))).toEqual([]);
  });
});

// consume.ts runs these beside the oldest SDK, which it installs.
test.each(Object.entries(runtimePackages))(
  'a bundle as %s makes it needs nothing of Lambda’s runtime but whole packages of the SDK',
  async (_, leftToRuntime) => {
    const run = runIn(apps.cjs, { AWS_ENDPOINT_URL_DYNAMODB: table.endpoint });

    const program = await bundleCheck(run, 'cjs', leftToRuntime);

    const { outputs } = JSON.parse(readFileSync(path.join(apps.cjs, 'bundle.json'), 'utf8'));
    const imported: { path: string; external?: boolean }[] = outputs[program].imports;
    const paths = imported.filter(({ external }) => external).map((one) => one.path);
    const left = new Set(paths.filter((name) => name.startsWith('@')));
    expect(left).toEqual(new Set(['@aws-sdk/client-dynamodb', '@aws-sdk/util-dynamodb']));
    expect(findFailures(await run(process.execPath, program))).toEqual([]);
  },
);

/** What consumers return and pass, by their own types. */
const commonTypes = `
import type { APIGatewayProxyResultV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Effects, TransactionalPersistenceLayer } from 'powertools-idempotency-transactional';

interface Order { id: string; note?: string }
const order: Order = { id: '1' };
const answer: APIGatewayProxyStructuredResultV2 = { statusCode: 201 };
const writes = [{ Put: { Item: order } }] as const;
export const all: Effects[] = [
  { response: order },
  { response: answer },
  { response: undefined, writes },
  { increments: undefined, response: [1, 'a', null] },
];
export const respond = async (
  layer: TransactionalPersistenceLayer<Order>,
): Promise<APIGatewayProxyResultV2> => layer.responseOf(order);
`;

test('every public name has an example', () => {
  const exported = ['index', 'sheets'].flatMap((entry) => {
    const source = readPage(`src/${entry}.ts`);
    const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
    const declared = [...source.matchAll(/^export (?:function|interface|const) (\w+)/gm)];
    const names = listed.flatMap(([, list = '']) => list.replaceAll(/\btype /g, '').split(','));
    return [...names, ...declared.map(([, name = '']) => name)].map((name) => name.trim());
  });

  const documented = readDocExamples();
  expect(exported.filter((name) => name !== '' && !documented.has(name))).toEqual([]);
  expect(documented.size).toBeGreaterThan(20);
});

test.concurrent('the README’s trial counts an order once, though its first delivery is killed', async () => {
  await writeFile(path.join(apps.esm, 'book-orders.js'), stripTypeScriptTypes(consumer));
  await writeFile(path.join(apps.esm, 'try-it.js'), readPage('examples/try-it/try-it.js'));
  const variables = { AWS_ENDPOINT_URL_DYNAMODB: table.endpoint, TABLE_NAME: randomUUID() };
  const tryIt = (...args: string[]) =>
    runIn(apps.esm, variables)(process.execPath, 'try-it.js', ...args);

  await expect(tryIt('crash')).rejects.toMatchObject({ cause: { signal: 'SIGKILL' } });
  const printed = [await tryIt(), await tryIt()];

  expect(printed).toEqual(Array(2).fill('{ batchItemFailures: [] }\ncents: 250\n'));
});

test.concurrent('installed, its examples pass TypeScript at its strictest, as do its declarations, and a wrong line does not', async () => {
  const examples = readRecipes()
    .set('mocked.test.ts', readTestingExamples().mocked)
    .set('engine.test.ts', readTestingExamples().onEngine)
    .set('door.ts', readBlock(readme))
    .set('claim.ts', readBlock(readme.slice(readme.indexOf('## Writes without a marker'))))
    .set('consumer.ts', `${consumer}\nlayer.receiptOf('an id');`);
  examples.set('types.ts', commonTypes);
  for (const [name, text] of readDocExamples()) examples.set(`doc-${name}.ts`, text);
  const strictest = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2022',
  };
  const strict = path.join(apps.esm, 'strict');
  await mkdir(strict);
  for (const [name, text] of examples) await writeFile(path.join(strict, name), text);
  const config = { compilerOptions: { ...strictest, types: ['node'], noEmit: true } };
  await writeFile(path.join(strict, 'tsconfig.json'), JSON.stringify(config));

  const checking = runIn(strict)(process.execPath, tsc);
  const stdout = await checking.catch(({ cause }) => cause.stdout);

  // Powertools imports this package, whose own declarations don't pass.
  const errors = stdout.replaceAll(/^\S*@aws\/durable-execution-sdk-js\/.*\n(?: .*\n)*/gm, '');
  expect(errors).toMatch(/^\S*consumer\.ts\S+ error TS2345: .+\n$/);
});

test('its size in a minified bundle is what the README says', async () => {
  const entry = "export * from 'powertools-idempotency-transactional';";
  await writeFile(path.join(apps.esm, 'size.js'), entry);
  const peers = Object.keys(manifest.peerDependencies).map((name) => `--external:${name}`);
  const options = ['--bundle', '--minify', '--platform=node', '--format=esm', '--outfile=size.mjs'];

  await runIn(apps.esm)('esbuild', 'size.js', ...options, ...peers);

  const { length } = gzipSync(readFileSync(path.join(apps.esm, 'size.mjs')), { level: 9 });
  const text = readme.replaceAll(/\s+/g, ' ');
  expect(text).toContain(`minified bundle, it takes ${Math.round(length / 1_000)} KB gzipped`);
});

// npm did not look at the peers here, so this says what it would have found.
test('its peers begin at the versions of the oldest consumer, and the README names these', () => {
  const { '@aws-lambda-powertools/batch': _, ...oldest } = peerVersions.oldest;
  const [powertools, sdk] = Object.values(oldest).map((version) => version.replace(/\.0$/, ''));

  expect(manifest.peerDependencies).toEqual(
    Object.fromEntries(Object.entries(oldest).map(([name, version]) => [name, `^${version}`])),
  );
  expect(readme.replaceAll(/\s+/g, ' ')).toContain(
    `Powertools ${powertools} and the AWS SDK ${sdk} or newer, and TypeScript ${oldestTypescript} or newer`,
  );
});
