import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { type PageService, startPageService } from '../helpers/page-service.ts';
import { useTestDir } from '../helpers/test-dir.ts';

const dir = useTestDir();
let service: PageService;
beforeAll(async () => {
  service = await startPageService();
});
afterAll(() => service.stop());

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true },
  ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
  lib: ['es2022', 'dom', 'dom.iterable'],
};

/** Uses each kind of request and response, without narrowing a type. */
const program = (baseUrl: string) => `
import { createLink, getLinkStats, importLinks, listLinks, updateLink } from './client/index';
import type { ImportItem, NewLink } from './client/index';
import { client } from './client/client.gen';

client.setConfig({ baseUrl: '${baseUrl.replace(/\/$/, '')}', auth: 'a-token', throwOnError: true });
const url = 'https://example.com/';
const link: NewLink = { url, code: 'generated', title: 'Generated', tags: ['client'] };
const { data: created } = await createLink({ body: link, throwOnError: true });
const item: ImportItem = { key: 'row-1', url, expiresAt: '2035-01-01T00:00:00Z' };
// @ts-expect-error A link needs a URL.
const incomplete: ImportItem = { key: 'row-2' };
const { data: imported } = await importLinks({ body: { links: [item, incomplete] }, throwOnError: true });
const path = { code: created.code };
await updateLink({ path, body: { tags: null, expected: { title: 'Generated' } }, throwOnError: true });
const conflict = await updateLink({ path, body: { title: 'Other', expected: { url: 'https://a.example/' } }, throwOnError: false });
const { data: list } = await listLinks({ query: { limit: 10 }, throwOnError: true });
const urls: string[] = list.links.map((each) => each.url);
const today: number[] = list.links.map((each) => each.today.count);
const { data: stats } = await getLinkStats({ path, query: { from: '2026-01-01' }, throwOnError: true });
const days: string[] = stats.days.map(({ date }) => date);
console.log(JSON.stringify({
  ...{ created, urls, today, days, title: stats.title, tags: stats.tags },
  outcomes: imported.outcomes.map(({ outcome }) => outcome),
  conflict: [conflict.response?.status, conflict.error?.message],
}));
`;

test('a client that hey-api generates from the document compiles, and its types are what the service sends', async () => {
  const inDir = (name: string) => path.join(dir.path, name);
  const run = async (command: string, ...args: string[]) =>
    (await promisify(execFile)(command, args, { cwd: dir.path })).stdout;
  await writeFile(inDir('package.json'), '{"type":"module"}');
  const generator = ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'];
  await run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...generator);
  const document = path.join(projectDir, 'docs/openapi.yml');
  await run(
    process.execPath,
    inDir('node_modules/.bin/openapi-ts'),
    '-i',
    document,
    '-o',
    'client',
  );
  await writeFile(inDir('use.ts'), program(service.url));
  await writeFile(inDir('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));

  await run(process.execPath, inDir('node_modules/.bin/tsc'));
  const bundle = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: inDir('use.mjs'),
  } as const;
  await build({ entryPoints: [inDir('use.ts')], ...bundle });
  const output = await run(process.execPath, 'use.mjs');

  const created = { code: 'generated', url: 'https://example.com/', title: 'Generated' };
  expect(JSON.parse(output)).toMatchObject({
    created: { ...created, tags: ['client'] },
    outcomes: ['created', 'refused'],
    conflict: [409, expect.stringContaining('has changed in the meantime')],
    urls: ['https://example.com/', 'https://example.com/'],
    today: [0, 0],
    days: [],
    title: 'Generated',
  });
  expect(JSON.parse(output)).not.toHaveProperty('tags');
});
