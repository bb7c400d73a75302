import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { startCommand } from '../../../../tests/helpers/command.ts';
import { useTestDir } from '../../../../tests/helpers/test-dir.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { deliver, packageName, readReadmeExample } from '../helpers/examples.ts';
import {
  checkTypes,
  findOtherNode,
  installPackage,
  writeJavaScript,
} from '../helpers/installed-package.ts';

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(projectDir, folder, 'package.json'), 'utf8'));
const manifest = readManifest('packages/powertools-idempotency-transactional');

const table = useTable();
const dir = useTestDir();
let app = '';

beforeAll(async () => {
  const { code, stderr } = await startCommand(
    'packages/powertools-idempotency-transactional/scripts/pack.ts',
    [dir.path],
  ).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const tarball = path.join(dir.path, `${packageName}-${manifest.version}.tgz`);
  app = await installPackage(dir.path, tarball);
});

test('the tarball holds each module with its declaration and source map, and the other files', async () => {
  const modules = readdirSync(
    path.join(projectDir, 'packages/powertools-idempotency-transactional/src'),
  )
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.basename(name, '.ts'));

  const files = await readdir(path.join(app, 'node_modules', packageName), { recursive: true });

  expect(files.toSorted()).toEqual(
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'comparison.md',
      'package.json',
      'window.svg',
      'dist',
      ...modules.flatMap((name) =>
        ['.js', '.js.map', '.d.ts'].map((extension) => `dist/${name}${extension}`),
      ),
    ].toSorted(),
  );
});

const nodes = [process.execPath, findOtherNode()].filter((node) => node !== undefined);
const versions = await Promise.all(
  nodes.map(async (node): Promise<[string, string]> => {
    const { stdout } = await promisify(execFile)(node, ['--version']);
    return [stdout.trim(), node];
  }),
);

describe.each(versions)('installed, on Node %s', (_, node) => {
  test('its example books an order once', async () => {
    const file = await writeJavaScript(app, await readReadmeExample());
    const order = { id: randomUUID(), customer: randomUUID(), cents: 250 };
    const target = { node, file, table };
    const batch = makeBatch([JSON.stringify(order), JSON.stringify(order)]);

    const outcomes = [await deliver(target, batch), await deliver(target, batch)];

    const allDone = { value: { batchItemFailures: [] } };
    expect(outcomes).toEqual([allDone, allDone]);
    expect(await table.get(`CUSTOMER#${order.customer}`, 'TOTAL')).toMatchObject({ cents: 250 });
    expect(await table.get(`ORDER#${order.id}`, 'ORDER')).toMatchObject({ cents: 250 });
    expect(await table.get(`ORDER#${order.id}`, 'MARKER')).toBeDefined();
  });
});

test('installed, its example passes TypeScript at its strictest, as do its declarations', async () => {
  const example = await readReadmeExample();

  expect(await checkTypes(app, example)).toBe('');
  expect(await checkTypes(app, `${example}\nlayer.receiptOf('an id');`)).toContain('TS2345');
});

// npm did not look at the peers here, so this says what it would have found.
test('its peers begin at the versions with which this project tests it', () => {
  const tested = readManifest('').dependencies;

  const names = Object.keys(manifest.peerDependencies);

  expect(manifest.peerDependencies).toEqual(
    Object.fromEntries(names.map((name) => [name, `^${tested[name]}`])),
  );
});
